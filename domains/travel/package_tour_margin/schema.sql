CREATE TABLE IF NOT EXISTS ods_tour.ods_supplier_invoice_df (
    invoice_id    STRING        COMMENT 'invoice line',
    supplier_id   STRING        COMMENT 'supplier',
    supplier_kind STRING        COMMENT 'hotel / coach / guide / flight',
    departure_id  STRING        COMMENT 'departure',
    currency      STRING        COMMENT 'currency of the invoice',
    net_amount    DECIMAL(18,2) COMMENT 'net',
    tax_amount    DECIMAL(18,2) COMMENT 'tax',
    invoice_state STRING        COMMENT 'BOOKED / PAID / DISPUTED',
    invoice_date  STRING        COMMENT 'date of the invoice',
    due_date      STRING        COMMENT 'due on'
) COMMENT 'invoices of suppliers'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_tour.dwd_supplier_contract_df (
    contract_id  STRING             COMMENT 'contract line',
    supplier_id  STRING             COMMENT 'supplier',
    departure_id STRING             COMMENT 'departure',
    currency     STRING             COMMENT 'currency of the prices',
    price_map    MAP<STRING,STRING> COMMENT 'kind of cost (HOTEL, COACH, GUIDE) to agreed price',
    is_invoiced  INT                COMMENT '1 = the invoice has arrived',
    sign_date    STRING             COMMENT 'signed on',
    valid_until  STRING             COMMENT 'valid until'
) COMMENT 'contracts with suppliers'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_pub.dim_fx_rate_df (
    currency   STRING        COMMENT 'currency',
    rate       DECIMAL(18,6) COMMENT 'value in the house currency',
    rate_kind  STRING        COMMENT 'MID',
    fixed_date STRING        COMMENT 'fixed on',
    load_time  STRING        COMMENT 'loaded at'
) COMMENT 'exchange rates'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_tour.dim_departure_df (
    departure_id    STRING COMMENT 'departure, one row each',
    tour_code       STRING COMMENT 'tour',
    depart_date     STRING COMMENT 'first day',
    sale_end_date   STRING COMMENT 'last day of sale',
    tour_days       INT    COMMENT 'days of travel',
    seat_cnt        INT    COMMENT 'seats',
    min_pax         INT    COMMENT 'travellers needed',
    departure_state STRING COMMENT 'OPEN / GUARANTEED / RUN / CANCELLED',
    guide_id        STRING COMMENT 'guide'
) COMMENT 'departures'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_tour.dwd_tour_booking_df (
    row_id        BIGINT        COMMENT 'primary key',
    booking_no    STRING        COMMENT 'booking',
    departure_id  STRING        COMMENT 'departure',
    customer_id   STRING        COMMENT 'customer',
    adult_cnt     INT           COMMENT 'adults',
    child_cnt     INT           COMMENT 'children',
    infant_cnt    INT           COMMENT 'infants, without a seat',
    pax_nations   STRING        COMMENT 'comma separated nations of the travellers',
    list_amount   DECIMAL(18,2) COMMENT 'list price',
    pay_amount    DECIMAL(18,2) COMMENT 'paid',
    refund_amount DECIMAL(18,2) COMMENT 'refunded',
    booking_state STRING        COMMENT 'OPTION / CONFIRMED / TRAVELLED / CANCELLED',
    create_time   STRING        COMMENT 'created at',
    modify_time   STRING        COMMENT 'changed at'
) COMMENT 'versions of tour bookings'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_tour.dwd_departure_cost_di (
    departure_id STRING        COMMENT 'departure',
    cost_kind    STRING        COMMENT 'kind of cost',
    line_cnt     BIGINT        COMMENT 'cost lines',
    cost_amount  DECIMAL(18,2) COMMENT 'cost in the house currency',
    has_estimate INT           COMMENT '1 = partly contract prices'
) COMMENT 'cost per departure and kind'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_tour.ads_departure_margin_di (
    departure_id  STRING        COMMENT 'departure',
    tour_code     STRING        COMMENT 'tour',
    depart_date   STRING        COMMENT 'first day',
    return_date   DATE          COMMENT 'last day',
    pax_cnt       BIGINT        COMMENT 'travellers with a seat',
    load_pct      DECIMAL(18,1) COMMENT 'sold seats, percent',
    sale_amount   DECIMAL(18,2) COMMENT 'sales after refunds',
    cost_amount   DECIMAL(18,2) COMMENT 'cost',
    margin_amount DECIMAL(18,2) COMMENT 'sales minus cost',
    hotel_amount  DECIMAL(18,2) COMMENT 'cost of hotels',
    nation_list   STRING        COMMENT 'nations of the travellers',
    margin_state  STRING        COMMENT 'EMPTY / BELOW_MINIMUM / LOSS / PROVISIONAL / FINAL',
    prev_pax_cnt  BIGINT        COMMENT 'travellers of the departure before'
) COMMENT 'margin per departure'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
