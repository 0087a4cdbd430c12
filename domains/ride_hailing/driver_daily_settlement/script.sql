-- ###################################################################
--   fin_ride.dwm_driver_settlement_1d
--   what a driver earned yesterday and is paid at 09:00
--   team: driver finance   on-call: v.petrov
--   2022-10-10 vp  fare parts as map, tips free of commission
--   2023-08-21 ae  appeals cancel fines
-- ###################################################################
SET hive.exec.dynamic.partition = true;
SET hive.exec.dynamic.partition.mode = nonstrict;

WITH trip AS (
        -- the billing service re-emits a trip after each correction
        SELECT  b.order_id
             ,b.driver_id
             ,b.city_id
             ,b.service_type
             ,b.fare_parts
          FROM  (
                SELECT  o.*
                     ,row_number() OVER (
                        PARTITION BY o.order_id
                        ORDER BY o.bill_version DESC, o.bill_id DESC
                      ) AS rn
                  FROM  dwd_ride.dwd_trip_bill_di o
                 WHERE  o.dt = '${yyyymmdd}'
                   AND  o.pay_state = 'PAID'
                ) b
         WHERE  b.rn = 1
           AND  b.city_id IN (
                SELECT  c.city_id
                  FROM  dim_ride.dim_city_df c
                 WHERE  c.dt = '${yyyymmdd}'
                   AND  c.settle_mode = 'DAILY'
                )
),
trip_fare AS (
        -- tips and tolls belong to the driver in full
        SELECT  t.order_id
             ,t.driver_id
             ,t.city_id
             ,t.service_type
             ,sum(CASE
                    WHEN f.part IN ('tip', 'toll') THEN cast(f.amount AS DECIMAL(18,2))
                    ELSE 0
                  END) AS pass_amount
             ,sum(CASE
                    WHEN f.part NOT IN ('tip', 'toll') THEN cast(f.amount AS DECIMAL(18,2))
                    ELSE 0
                  END) AS fare_amount
          FROM  trip t
        LATERAL VIEW explode(t.fare_parts) f AS part, amount
         GROUP  BY t.order_id, t.driver_id, t.city_id, t.service_type
),
driver_day AS (
        SELECT  x.driver_id
             ,x.city_id
             ,count(1) AS trip_cnt
             ,count(DISTINCT x.service_type) AS service_cnt
             ,concat_ws(',', sort_array(collect_set(x.service_type))) AS service_list
             ,sum(x.fare_amount) AS fare_amount
             ,sum(x.pass_amount) AS pass_amount
             ,sum(round(x.fare_amount * coalesce(r.commission_rate, 0.25), 2)) AS commission
          FROM  trip_fare x
          LEFT  JOIN dim_ride.dim_commission_rate_df r
            ON  x.city_id = r.city_id
           AND  x.service_type = r.service_type
           AND  r.dt = '${yyyymmdd}'
         GROUP  BY x.driver_id, x.city_id
),
-- every rule pays once when the driver has its number of trips
reward AS (
        SELECT  d.driver_id
             ,d.city_id
             ,'REWARD' AS item_type
             ,g.rule_code AS item_code
             ,g.bonus_amount AS amount
          FROM  driver_day d
         INNER  JOIN dim_ride.dim_reward_rule_df g
            ON  d.city_id = g.city_id
           AND  g.dt = '${yyyymmdd}'
         WHERE  d.trip_cnt >= g.min_trips
           AND  g.end_day >= '${yyyymmdd}'
),
fine AS (
        SELECT  v.driver_id
             ,v.city_id
             ,'FINE' AS item_type
             ,v.fine_code AS item_code
             ,0 - v.fine_amount AS amount
          FROM  ods_ride.ods_driver_fine_di v
          LEFT  JOIN ods_ride.ods_fine_appeal_df a
            ON  v.fine_id = a.fine_id
           AND  a.dt = '${yyyymmdd}'
         WHERE  v.dt = '${yyyymmdd}'
           AND  (a.verdict <> 'UPHELD' OR a.verdict IS NULL)   -- appeal upheld = no fine
),
adjust AS (
        SELECT  i.driver_id
             ,i.city_id
             ,sum(CASE i.item_type WHEN 'REWARD' THEN i.amount ELSE 0 END) AS reward_amount
             ,sum(CASE i.item_type WHEN 'FINE' THEN i.amount ELSE 0 END) AS fine_amount
             ,concat_ws('|', sort_array(collect_list(i.item_code))) AS item_list
          FROM  (
                SELECT * FROM reward
                 UNION ALL
                SELECT * FROM fine
                ) i
         GROUP  BY i.driver_id, i.city_id
)
INSERT OVERWRITE TABLE fin_ride.dwm_driver_settlement_1d PARTITION (dt = '${yyyymmdd}', city_id)
SELECT  s.driver_id
     ,p.fleet_id
     ,from_unixtime(unix_timestamp('${yyyymmdd}', 'yyyyMMdd'), 'yyyy-MM-dd') AS settle_date
     ,s.trip_cnt
     ,s.service_list
     ,s.fare_amount
     ,s.commission
     ,s.pass_amount
     ,nvl(j.reward_amount, 0) AS reward_amount
     ,nvl(j.fine_amount, 0) AS fine_amount
     ,nvl(j.item_list, '') AS item_list
        -- cash trips: the driver already has the money
     ,s.fare_amount - s.commission + s.pass_amount + nvl(j.reward_amount, 0) + nvl(j.fine_amount, 0) - nvl(k.cash_amount, 0) AS payout
     ,CASE WHEN p.is_frozen = 1                  THEN 'HOLD'
             WHEN nullif(trim(p.bank_card), '') IS NULL THEN 'NO_ACCOUNT'
             WHEN s.service_cnt > 1                THEN 'MIXED'
             ELSE 'PAY'
        END AS pay_flag
     ,rank() OVER (PARTITION BY s.city_id ORDER BY s.fare_amount DESC, s.trip_cnt DESC, s.driver_id) AS city_rank
     ,s.city_id
  FROM  driver_day s
 INNER  JOIN dim_ride.dim_driver_df p
    ON  s.driver_id = p.driver_id
   AND  s.city_id = p.city_id
   AND  p.dt = '${yyyymmdd}'
  LEFT  JOIN adjust j
    ON  s.driver_id = j.driver_id
   AND  s.city_id = j.city_id
  LEFT  JOIN (
        SELECT  driver_id
             ,sum(coalesce(cash_amount, 0)) AS cash_amount
          FROM  dwd_ride.dwd_cash_collect_di
         WHERE  dt = '${yyyymmdd}'
         GROUP  BY driver_id
        ) k
    ON  s.driver_id = k.driver_id
DISTRIBUTE BY s.city_id
;
