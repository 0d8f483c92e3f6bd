-- question: Kernels by summed time
-- param: limit count 1000 "most rows"
-- param: percentiles switch on "of each kernel"
-- column kernel_name text
-- column device_id id
-- column call_count count
-- column total_time_ns ns
-- column total_time_ms number 6
-- column avg_duration_us number 6
-- column min_duration_us number 6
-- column max_duration_us number 6
-- column p50_duration_us number 6
-- column p90_duration_us number 6
-- column pct_total_kernel_time number 6 "pct_total_kernel_time" of "summed duration of all kernels"
SELECT coalesce(name, '') AS kernel_name, device AS device_id, count AS call_count, total AS total_time_ns, total / 1e6 AS total_time_ms, mean / 1e3 AS avg_duration_us, min / 1e3 AS min_duration_us, max / 1e3 AS max_duration_us,
       iif(:percentiles, median, NULL) / 1e3 AS p50_duration_us, iif(:percentiles, p90, NULL) / 1e3 AS p90_duration_us, coalesce(100.0 * total / nullif((SELECT total(total) FROM totals('kernel', 'name device')), 0), 0.0) AS pct_total_kernel_time
FROM totals('kernel', 'name device') ORDER BY total DESC, kernel_name, device
-- sheet: tiny_kernels "Tiny kernels by count"
-- column kernel_name text
-- column call_count count
-- column total_time_ns ns
-- column avg_duration_us number 6
-- left-out: SELECT max(count(*) - 10, 0) FROM totals('kernel', 'name', 'dur', 'dur<5001')
-- note-if: SELECT 'tiny: at most 5000 ns'
SELECT coalesce(name, '') AS kernel_name, count AS call_count, total AS total_time_ns, mean / 1e3 AS avg_duration_us FROM totals('kernel', 'name', 'dur', 'dur<5001') ORDER BY count DESC, kernel_name LIMIT 10
-- sheet: pids "Processes by summed kernel time"
-- column pid id
-- column total_kernel_time_ns ns
-- column total_kernel_time_ms number 6
-- column kernel_count count
-- column pct_of_total_kernel_time number 6 "pct_of_total_kernel_time" of "summed duration of all kernels"
-- left-out: SELECT max(count(*) - 10, 0) FROM totals('kernel', 'pid')
SELECT coalesce(pid, 0) AS pid, total AS total_kernel_time_ns, total / 1e6 AS total_kernel_time_ms, count AS kernel_count, coalesce(100.0 * total / nullif((SELECT total(total) FROM totals('kernel', 'pid')), 0), 0.0) AS pct_of_total_kernel_time
FROM totals('kernel', 'pid') ORDER BY total DESC, pid LIMIT 10
-- sheet: kernels_by_pid "Kernels by process"
-- column pid id
-- column pid_total_kernel_time_ms number 6
-- column pid_pct_of_total_kernel_time number 6 "pid_pct_of_total_kernel_time" of "summed duration of all kernels"
-- column kernel_name text
-- column device_id id
-- column call_count count
-- column total_time_ms number 6
-- column avg_duration_us number 6
-- column pct_of_pid_kernel_time number 6 "pct_of_pid_kernel_time" of "summed duration of the process's kernels"
-- column pct_of_total_kernel_time number 6 "pct_of_total_kernel_time" of "summed duration of all kernels"
-- column total_time_ns ns
-- left-out: WITH top AS (SELECT pid FROM totals('kernel', 'pid') ORDER BY total DESC, pid LIMIT 10) SELECT total(n) FROM (SELECT max(count(*) - 10, 0) AS n FROM top p JOIN totals('kernel', 'name device pid') k ON k.pid IS p.pid GROUP BY p.pid)
WITH top AS (SELECT pid, total FROM totals('kernel', 'pid') ORDER BY total DESC, pid LIMIT 10), whole(ns) AS (SELECT nullif(total(total), 0) FROM totals('kernel', 'pid')), ranked AS (SELECT *, coalesce(name, '') AS text, row_number() OVER (PARTITION BY pid ORDER BY total DESC, name, device) AS place
                FROM totals('kernel', 'name device pid'))
SELECT coalesce(p.pid, 0) AS pid, p.total / 1e6 AS pid_total_kernel_time_ms, coalesce(100.0 * p.total / ns, 0.0) AS pid_pct_of_total_kernel_time, text AS kernel_name, k.device AS device_id, k.count AS call_count, k.total / 1e6 AS total_time_ms, k.mean / 1e3 AS avg_duration_us,
       coalesce(100.0 * k.total / nullif(p.total, 0), 0.0) AS pct_of_pid_kernel_time, coalesce(100.0 * k.total / ns, 0.0) AS pct_of_total_kernel_time, k.total AS total_time_ns FROM top p JOIN ranked k ON k.pid IS p.pid JOIN whole WHERE place <= 10 ORDER BY 1, place
-- sheet: tiny_by_pid "Tiny kernels by process"
-- column pid id
-- column kernel_name text
-- column call_count count
-- column total_time_ns ns
-- column avg_duration_us number 6
-- left-out: WITH top AS (SELECT pid FROM totals('kernel', 'pid') ORDER BY total DESC, pid LIMIT 10) SELECT total(n) FROM (SELECT max(count(*) - 10, 0) AS n FROM top p JOIN totals('kernel', 'name pid', 'dur', 'dur<5001') k ON k.pid IS p.pid GROUP BY p.pid)
WITH top AS (SELECT pid, total FROM totals('kernel', 'pid') ORDER BY total DESC, pid LIMIT 10), ranked AS (SELECT *, row_number() OVER (PARTITION BY pid ORDER BY count DESC, name) AS place FROM totals('kernel', 'name pid', 'dur', 'dur<5001'))
SELECT coalesce(p.pid, 0) AS pid, coalesce(k.name, '') AS kernel_name, k.count AS call_count, k.total AS total_time_ns, k.mean / 1e3 AS avg_duration_us FROM top p JOIN ranked k ON k.pid IS p.pid WHERE place <= 10 ORDER BY p.total DESC, p.pid, place
