"""Short references: scripts of about ten lines, so that a small model on a processor has enough room and time."""

from pathlib import Path

#: Domain, table of events, its key, who, status, the status that does not count, amount, table beside it, its key, its text.
DOMAINS = """
retail_orders orders order_id customer_id status CANCELLED amount shops shop_id city
parcels parcels parcel_id sender_id state LOST weight_kg depots depot_id region
clinic_visits visits visit_id patient_id outcome MISSED fee wards ward_id specialty
card_payments payments payment_id card_id result DECLINED value terminals terminal_id country
taxi_rides rides ride_id rider_id ride_state ABORTED fare zones zone_id borough
libraries loans loan_id reader_id loan_state VOID fine branches branch_id district
hotel_stays stays stay_id guest_id booking_state NO_SHOW price hotels hotel_id town
energy_readings readings reading_id household_id quality ESTIMATED kwh meters meter_id grid_area
support_tickets tickets ticket_id caller_id phase SPAM minutes teams team_id language
flight_bookings bookings booking_id traveller_id booking_phase REFUNDED total routes route_id origin
course_results results result_id student_id grading WITHDRAWN points courses course_id faculty
warehouse_moves moves move_id worker_id move_state REVERSED quantity halls hall_id building
""".split("\n")[1:-1]

SCHEMA = """CREATE TABLE {events} (
  {key} BIGINT,
  {who} BIGINT,
  {beside_key} BIGINT,
  {status} STRING,
  {amount} INT,
  changed_at STRING
) PARTITIONED BY (dt STRING);
CREATE TABLE {beside} (
  {beside_key} BIGINT,
  {text} STRING
);
"""

SHAPES = {
    "sums": """SELECT
  b.{text},
  COUNT(*) AS {events}_count,
  SUM(COALESCE(e.{amount}, 0)) AS {amount}_sum
FROM {events} e
LEFT JOIN {beside} b
  ON e.{beside_key} = b.{beside_key}
WHERE e.dt = '${{biz_date}}'
  AND e.{status} <> '{dead}'
GROUP BY b.{text};
""",
    "latest": """SELECT
  t.{who},
  SUM(t.{amount}) AS {amount}_sum
FROM (
  SELECT
    {key},
    {who},
    {amount},
    ROW_NUMBER() OVER (PARTITION BY {key} ORDER BY changed_at DESC) AS rn
  FROM {events}
  WHERE dt BETWEEN date_sub('${{biz_date}}', 6) AND '${{biz_date}}'
) t
WHERE t.rn = 1
GROUP BY t.{who};
""",
    "classes": """SELECT
  CASE
    WHEN {amount} >= 100 THEN 'LARGE'
    WHEN {amount} >= 10 THEN 'MIDDLE'
    ELSE 'SMALL'
  END AS class,
  COUNT(DISTINCT {who}) AS {who}_count,
  MAX({amount}) AS {amount}_max
FROM {events}
WHERE dt = '${{biz_date}}'
  AND {status} <> '{dead}'
GROUP BY
  CASE
    WHEN {amount} >= 100 THEN 'LARGE'
    WHEN {amount} >= 10 THEN 'MIDDLE'
    ELSE 'SMALL'
  END;
""",
    "frequent": """SELECT
  e.{who},
  COUNT(e.{key}) AS {events}_count,
  ROUND(AVG(e.{amount}), 2) AS {amount}_mean
FROM {events} e
INNER JOIN {beside} b
  ON e.{beside_key} = b.{beside_key}
WHERE e.dt >= date_sub('${{biz_date}}', 29)
  AND b.{text} IS NOT NULL
GROUP BY e.{who}
HAVING COUNT(e.{key}) > 2;
""",
    "idle": """SELECT
  b.{beside_key},
  UPPER(b.{text}) AS {text}
FROM {beside} b
LEFT JOIN {events} e
  ON e.{beside_key} = b.{beside_key}
  AND e.dt = '${{biz_date}}'
WHERE e.{key} IS NULL;
""",
    "shares": """SELECT
  dt,
  COUNT(*) AS {events}_count,
  SUM(CASE WHEN {status} = '{dead}' THEN 1 ELSE 0 END) AS {dead}_count,
  ROUND(100 * SUM(CASE WHEN {status} = '{dead}' THEN 1 ELSE 0 END) / COUNT(*), 1) AS {dead}_share
FROM {events}
WHERE dt BETWEEN date_sub('${{biz_date}}', 6) AND '${{biz_date}}'
GROUP BY dt;
""",
}


def write(folder):
    """Writes every shape for every domain, as `build --source` reads them."""
    names = ("domain", "events", "key", "who", "status", "dead", "amount", "beside", "beside_key", "text")
    for line in DOMAINS:
        words = dict(zip(names, line.split(), strict=True))
        for shape, script in SHAPES.items():
            place = Path(folder, words["domain"], shape)
            place.mkdir(parents=True)
            (place / "schema.sql").write_text(SCHEMA.format(**words))
            (place / "script.sql").write_text(script.format(**words))
            # The complaints call a script by its title.
            title = f"{words['events']} {shape}".replace("_", " ").capitalize()
            card = f'domain: {words["domain"]}\ntitle: {title}\nintention: {title} of the day.\nscenario: ""\n'
            (place / "card.yaml").write_text(card + 'parameters:\n  biz_date: "2024-03-15"\n')
