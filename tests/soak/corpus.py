"""What the soak works on: two small scripts, and answers that are meant to do harm."""

SCRIPT = """\
-- paid amount of each customer
WITH paid AS (
    SELECT o.customer_id, o.amount, o.order_id
    FROM dwd_orders o
    WHERE o.dt = '${bizdate}'
      AND o.status = 'PAID'
      AND o.amount > 10
)
SELECT c.customer_id,
    c.city,
    COUNT(DISTINCT p.order_id) AS orders,
    COALESCE(SUM(p.amount), 0) AS amount
FROM dim_customer c
LEFT JOIN paid p ON c.customer_id = p.customer_id
WHERE c.is_test = 0
GROUP BY c.customer_id, c.city;
"""
SCHEMA = """\
CREATE TABLE dwd_orders (
    order_id BIGINT COMMENT 'order number',
    customer_id BIGINT COMMENT 'customer',
    status STRING COMMENT 'order status',
    amount DECIMAL(18, 2) COMMENT 'order amount'
) PARTITIONED BY (dt STRING COMMENT 'day');
CREATE TABLE dim_customer (
    customer_id BIGINT COMMENT 'customer',
    city STRING COMMENT 'home city',
    is_test INT COMMENT 'test account'
);
"""
CARD = """\
domain: retail
title: Paid orders by customer
intention: Paid orders and amounts of every customer.
scenario: The desk calls customers by what they paid.
parameters:
  bizdate: '2024-03-15'
"""


def write_corpus(folder):
    """Two scripts that differ in one condition."""
    nested = SCRIPT.replace("o.amount > 10", "o.amount > 10 AND o.order_id IS NOT NULL")
    for name, script in [("paid", SCRIPT), ("nested", nested)]:
        place = folder / "shop" / name
        place.mkdir(parents=True)
        for file, text in [("script.sql", script), ("schema.sql", SCHEMA), ("card.yaml", CARD)]:
            (place / file).write_text(text)


def hostile_answers():
    """Answers that ask for more time, memory or depth than there is."""
    tables = ", ".join(f"dwd_orders t{number}" for number in range(9))
    names = ", ".join(["a"] * 40_000)
    return [
        f"SELECT count(*) AS n FROM {tables}",
        "SELECT levenshtein(repeat('a', 1000000), repeat('b', 1000000)) AS n",
        "SELECT concat_ws(repeat('a', 1000000), sequence(1, 100000)) AS n",
        "SELECT size(sequence(1, 2000000000)) AS n",
        f"SELECT {names} FROM (SELECT {names}) x ORDER BY a",
        "SELECT " + "(" * 200_000,
        "{" * 400_000,
        "${a}" * 100_000,
        "SELECT x FROM " + ", ".join(f"dwd_orders t{number}" for number in range(20_000)),
        "",
    ]


def write_spark(root):
    """A Python that says it has Spark and accepts every script, so that `prove` can be killed without Spark. Like the
    real one it removes its folder when nobody asks any more."""
    python = '''\
#!/bin/sh
case "$*" in *'import pyspark'*) echo 4.3.0; exit 0;; esac
echo '{"event": "ready", "spark": "4.3.0"}'
while read -r request; do
    number=$((number + 1))
    echo "{\\"id\\": $number, \\"status\\": \\"ok\\", \\"statements\\": []}"
done
rm -rf "$2"
'''
    java = "#!/bin/sh\necho 'openjdk version \"17\"' >&2\n"
    for name, text in (("python", python), ("java/bin/java", java)):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
