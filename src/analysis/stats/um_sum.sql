-- Unified memory by address, the fastest migration first. Addresses are those of the rows, not ranges: a migration and a fault belong together if they begin at the same byte. The rate takes whole operations a second, as the reference does.
WITH part(part, value, ns, address) AS (
       SELECT 1, 1, 0, stats_field(id, 'CPU_FAULTS', 0) FROM fault WHERE kind_label = 'CPU page fault'
       UNION ALL SELECT 2, coalesce(stats_field(id, 'GPU_FAULTS', 0), 0), 0, stats_field(id, 'GPU_FAULTS', 1) FROM fault WHERE kind_label = 'GPU page fault'
       UNION ALL SELECT CASE stats_field(id, 'MIGRATIONS', 1) WHEN 12 THEN 3 WHEN 11 THEN 4 END, coalesce(stats_field(id, 'MIGRATIONS', 0), 0), dur, stats_field(id, 'MIGRATIONS', 2) FROM copy),
     figure AS (SELECT address, total(value) FILTER (WHERE part = 4) AS to_device, total(value) FILTER (WHERE part = 3) AS to_host, total(value) FILTER (WHERE part = 1) AS cpu, total(value) FILTER (WHERE part = 2) AS gpu,
                       min(part) AS first, total(ns) AS ns, total(value) FILTER (WHERE part > 2) AS bytes FROM part WHERE part IS NOT NULL AND address IS NOT NULL GROUP BY address)
SELECT printf('0x%llx', address), to_device, to_host, cpu, gpu, iif(typeof(rate) = 'real', 9223372036854775807, rate) AS rate
FROM (SELECT *, iif(ns > 0, coalesce(bytes, 0) * (1000000000 / ns), NULL) AS rate FROM figure) ORDER BY coalesce(rate, -1) DESC, first, address < 0, address LIMIT :rows
