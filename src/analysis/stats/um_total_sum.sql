-- Unified memory in one row: migrated bytes, page faults, and addresses. The reference prints an address only if each of the four figures has one; if a table is missing it prints no row, and ours uses the figures that exist.
WITH part(part, value, address) AS (
       SELECT CASE stats_field(id, 'MIGRATIONS', 1) WHEN 11 THEN 1 WHEN 12 THEN 2 END, coalesce(stats_field(id, 'MIGRATIONS', 0), 0), stats_field(id, 'MIGRATIONS', 2) FROM copy
       UNION ALL SELECT 3, 1, stats_field(id, 'CPU_FAULTS', 0) FROM fault WHERE kind_label = 'CPU page fault'
       UNION ALL SELECT 4, coalesce(stats_field(id, 'GPU_FAULTS', 0), 1), stats_field(id, 'GPU_FAULTS', 1) FROM fault WHERE kind_label = 'GPU page fault'),
     figure AS (SELECT total(max(value, 0)) FILTER (WHERE part = 1) AS to_device, total(max(value, 0)) FILTER (WHERE part = 2) AS to_host, count(*) FILTER (WHERE part = 3) AS cpu, total(max(value, 0)) FILTER (WHERE part = 4) AS gpu,
                       count(DISTINCT part) AS n, min(hex) AS least, max(hex) AS greatest FROM (SELECT *, iif(address IS NULL, NULL, printf('%016llx', address)) AS hex FROM part) WHERE part IS NOT NULL),
     needed(has) AS (SELECT stats_has('MIGRATIONS', 0) AND stats_has('GPU_FAULTS', 1) AND stats_has('CPU_FAULTS', 0))
SELECT to_device, to_host, cpu, gpu, iif(n = 4 OR NOT has, '0x' || coalesce(nullif(ltrim(least, '0'), ''), substr(least, 16)), NULL), iif(n = 4 OR NOT has, '0x' || coalesce(nullif(ltrim(greatest, '0'), ''), substr(greatest, 16)), NULL)
FROM figure, needed WHERE n > 0 OR has
