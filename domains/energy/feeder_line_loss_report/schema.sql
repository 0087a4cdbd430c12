CREATE TABLE IF NOT EXISTS dwd_scada.dwd_gateway_energy_di (
    gate_id      BIGINT         COMMENT 'gateway meter id',
    feeder_id    STRING         COMMENT 'feeder id',
    station_id   STRING         COMMENT 'substation id',
    direction    STRING         COMMENT 'FWD/REV',
    kwh          DECIMAL(18,2)  COMMENT 'energy before ratio',
    kvarh        DECIMAL(18,2)  COMMENT 'reactive energy',
    ratio        STRING         COMMENT 'CT x PT ratio as text',
    quality      STRING         COMMENT 'GOOD/SUSPECT/BAD',
    seq_no       BIGINT         COMMENT 'upload sequence',
    upload_time  STRING         COMMENT 'upload time'
) COMMENT 'energy at the feeder gateways per day'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_grid.dwd_load_transfer_di (
    order_id      BIGINT              COMMENT 'switching order',
    from_feeder   STRING              COMMENT 'feeder the load comes from',
    transfer_map  MAP<STRING,STRING>  COMMENT 'receiving feeder -> kWh moved',
    order_status  STRING              COMMENT 'DRAFT/DONE/CANCELLED',
    plan_time     STRING              COMMENT 'planned at',
    done_time     STRING              COMMENT 'executed at',
    dispatcher    STRING              COMMENT 'dispatcher'
) COMMENT 'load transfers between feeders'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_amr.dws_meter_energy_1d (
    meter_id   BIGINT         COMMENT 'meter id',
    cust_id    BIGINT         COMMENT 'customer id',
    feeder_id  STRING         COMMENT 'feeder id',
    area_id    STRING         COMMENT 'transformer area',
    kwh        DECIMAL(18,2)  COMMENT 'measured energy, null when unread',
    est_kwh    DECIMAL(18,2)  COMMENT 'estimated energy',
    peak_kwh   DECIMAL(18,2)  COMMENT 'peak energy'
) COMMENT 'energy per customer meter and day'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_grid.dim_feeder_df (
    feeder_id    STRING         COMMENT 'feeder id',
    feeder_name  STRING         COMMENT 'feeder name',
    station_id   STRING         COMMENT 'substation id',
    volt_level   STRING         COMMENT '10kV/20kV/35kV',
    length_km    DECIMAL(18,2)  COMMENT 'length',
    run_status   STRING         COMMENT 'RUN/BACKUP/PLANNED/RETIRED',
    put_date     STRING         COMMENT 'in service since',
    retire_date  STRING         COMMENT 'retired on'
) COMMENT 'feeder dimension'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_grid.dwd_patrol_di (
    patrol_id    BIGINT  COMMENT 'patrol id',
    feeder_id    STRING  COMMENT 'feeder id',
    crew_id      BIGINT  COMMENT 'crew id',
    cause_codes  STRING  COMMENT 'causes found, comma separated',
    begin_time   STRING  COMMENT 'begin',
    end_time     STRING  COMMENT 'end',
    remark       STRING  COMMENT 'remark'
) COMMENT 'line patrols'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_grid.dim_crew_df (
    crew_id       BIGINT   COMMENT 'crew id',
    crew_name     STRING   COMMENT 'crew name',
    depot_id      BIGINT   COMMENT 'depot id',
    leader_id     BIGINT   COMMENT 'leader',
    is_certified  BOOLEAN  COMMENT 'certified for loss inspection',
    cert_date     STRING   COMMENT 'certified on'
) COMMENT 'patrol crews'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_grid.ads_feeder_line_loss_1d (
    grain       STRING         COMMENT 'FEEDER/STATION/LEVEL',
    station_id  STRING         COMMENT 'substation, null on LEVEL rows',
    feeder_id   STRING         COMMENT 'feeder, null on sub-totals',
    feeder_cnt  BIGINT         COMMENT 'feeders in the row',
    supply_kwh  DECIMAL(18,2)  COMMENT 'energy supplied in 7 days',
    sold_kwh    DECIMAL(18,2)  COMMENT 'energy sold in 7 days',
    loss_kwh    DECIMAL(18,2)  COMMENT 'supply minus sold',
    loss_pct    DOUBLE         COMMENT 'loss in percent of supply',
    loss_class  STRING         COMMENT 'NO_SUPPLY/NEGATIVE/HIGH/OK',
    cause_list  STRING         COMMENT 'patrol findings'
) COMMENT 'line loss over seven days'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd', volt_level STRING COMMENT 'voltage level')
STORED AS ORC;
