-- ads_ad.ads_last_touch_campaign_1d
-- last-touch attribution of app conversions to campaigns
-- owner: growth-measurement    ticket: GM-1187
--   * click window 7 days, view-through window 1 day
--   * any click beats any view, then the latest touch wins
--   * conversions without touch are reported as campaign 0 (organic)
with test_device as (
  -- own test phones plus the lists of the partners
  select device_id
  from dim_ad.dim_test_device_df
  where dt = '${biz_date}'
    and is_valid = 1
    and device_id is not null
  union
  select lower(trim(raw_device_id)) as device_id
  from ods_ad.ods_partner_test_device_df
  where dt = '${biz_date}'
    and raw_device_id is not null
),

campaign as (
  select
    campaign_id,
    advertiser_id,
    campaign_name,
    keywords
  from dim_ad.dim_campaign_df
  where dt = '${biz_date}'
    and start_date <= '${biz_date}'
    and campaign_name not like 'test\_%'
),

campaign_kw as (
  select
    c.campaign_id,
    concat_ws(',', sort_array(collect_set(lower(k.kw)))) as kw_list
  from campaign c
  lateral view explode(c.keywords) k as kw
  where length(k.kw) > 1
  group by c.campaign_id
),

touch as (
  select
    'click' as touch_type,
    1 as touch_prio,
    7 as window_days,
    click_id as touch_id,
    device_id,
    campaign_id,
    geo.country as country,
    get_json_object(ext, '$.slot') as slot_id,
    click_time as touch_time
  from dwd_ad.dwd_ad_click_di
  where dt between date_sub('${biz_date}', 7) and '${biz_date}'
    and not coalesce(is_fraud, false)
  union all
  select
    'view' as touch_type,
    2 as touch_prio,
    1 as window_days,
    imp_id as touch_id,
    device_id,
    campaign_id,
    geo.country as country,
    get_json_object(ext, '$.slot') as slot_id,
    imp_time as touch_time
  from dwd_ad.dwd_ad_impression_di
  where dt between date_sub('${biz_date}', 1) and '${biz_date}'
    and view_ms >= 1000   -- at least one second on screen
),

touch_valid as (
  select t.*
  from touch t
  left semi join campaign c
    on t.campaign_id = c.campaign_id
),

conv as (
  -- the SDK retries: keep the first report of a conversion
  select
    v.conv_id,
    v.device_id,
    v.conv_type,
    v.conv_time,
    v.revenue
  from (
    select
      conv_id,
      device_id,
      conv_type,
      conv_time,
      coalesce(revenue, 0) as revenue,
      row_number() over (
        partition by conv_id
        order by report_time, report_id
      ) as rn
    from dwd_app.dwd_conversion_di
    where dt = '${biz_date}'
      and conv_type in ('install', 'register', 'purchase')
  ) v
  where v.rn = 1
    and v.device_id not in (select device_id from test_device)
),

matched as (
  select
    v.conv_id,
    v.device_id,
    v.conv_type,
    v.conv_time,
    v.revenue,
    t.campaign_id,
    t.touch_type,
    t.touch_time,
    t.country,
    t.slot_id,
    row_number() over (
      partition by v.conv_id
      order by t.touch_prio, t.touch_time desc, t.touch_id
    ) as touch_rn,
    count(t.touch_id) over (partition by v.conv_id) as touch_cnt
  from conv v
  left outer join touch_valid t
    on v.device_id = t.device_id
    and t.touch_time <= v.conv_time
    and datediff(to_date(v.conv_time), to_date(t.touch_time)) <= t.window_days
)

insert overwrite table ads_ad.ads_last_touch_campaign_1d partition (dt = '${biz_date}')
select
  s.campaign_id,
  coalesce(c.advertiser_id, 0) as advertiser_id,
  coalesce(c.campaign_name, 'organic') as campaign_name,
  s.conv_type,
  s.conv_cnt,
  s.device_cnt,
  s.click_conv,
  s.view_conv,
  round(s.revenue, 2) as revenue,
  round(s.avg_hours, 1) as avg_hours,
  s.avg_touch,
  s.slot_list,
  coalesce(k.kw_list, '') as kw_list
from (
  select
    coalesce(m.campaign_id, 0) as campaign_id,
    m.conv_type,
    count(*) as conv_cnt,
    count(distinct m.device_id) as device_cnt,
    sum(case when m.touch_type = 'click' then 1 else 0 end) as click_conv,
    sum(case when m.touch_type = 'view' then 1 else 0 end) as view_conv,
    sum(m.revenue) as revenue,
    avg((unix_timestamp(m.conv_time) - unix_timestamp(m.touch_time)) / 3600.0) as avg_hours,
    round(avg(coalesce(m.touch_cnt, 0)), 2) as avg_touch,
    concat_ws(',', sort_array(collect_set(concat(m.country, ':', m.slot_id)))) as slot_list
  from matched m
  where m.touch_rn = 1
  group by
    coalesce(m.campaign_id, 0),
    m.conv_type
  having count(*) >= 1
    and sum(m.revenue) >= 0
) s
left join campaign c
  on s.campaign_id = c.campaign_id
left join campaign_kw k
  on s.campaign_id = k.campaign_id
cluster by campaign_id
;
