-- question: Calls that wait for the GPU
-- column api_name text
-- column call_count count
-- column total_time_ms number 6
-- column avg_duration_us number 6
-- column total_time_ns ns
-- left-out: SELECT max(count(*) - 200, 0) FROM totals('call', 'name class') WHERE class IN ('sync', 'query')
-- note-if: SELECT printf('total of all calls: %.6f ms; calls of several threads are added', coalesce(total(total), 0) / 1e6) FROM totals('call', 'name class') WHERE class IN ('sync', 'query')
SELECT coalesce(name, '') AS api_name, count AS call_count, total / 1e6 AS total_time_ms, mean / 1e3 AS avg_duration_us, total AS total_time_ns FROM totals('call', 'name class') WHERE class IN ('sync', 'query') ORDER BY total DESC, api_name LIMIT 200
-- sheet: sync_by_pid "Calls that wait, by process"
-- column pid id
-- column api_name text
-- column call_count count
-- column total_time_ms number 6
-- column avg_duration_us number 6
-- column total_time_ns ns
-- left-out: SELECT max(count(*) - 200, 0) FROM totals('call', 'name pid class') WHERE class IN ('sync', 'query')
SELECT coalesce(pid, 0) AS pid, coalesce(name, '') AS api_name, count AS call_count, total / 1e6 AS total_time_ms, mean / 1e3 AS avg_duration_us, total AS total_time_ns FROM totals('call', 'name pid class') WHERE class IN ('sync', 'query') ORDER BY total DESC, api_name, pid LIMIT 200
