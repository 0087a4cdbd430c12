{% macro days_under_way(from_day, to_day) %}datediff({{ to_day }}, {{ from_day }}){% endmacro %}
