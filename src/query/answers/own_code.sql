-- name: own_code
-- question: Which functions of the program itself make the CUDA calls, and what do they cost?
-- words: line* function* python code source stack* backtrace* caller* own
-- category: host
-- param: limit count 30 "most rows; 0: all"
-- column function text "Function"
-- column calls count "Calls"
-- column launch_ns ns "Launching"
-- column sync_ns ns "Waiting"
-- column copy_ns ns "Copying"
-- column idle_ns ns "GPU idle before"
-- note: The innermost function of a call stack that is not of CUDA, a framework or the interpreter. Launching, Waiting, Copying: the time of its calls that do so. GPU idle before: gaps of a GPU that end with an op that it launched. Calls without a stack, or with none of its own in it, are not listed.
-- empty: No call stack of a CUDA call is recorded (nsys profile --cudabacktrace=all, or --python-backtrace=cuda for Python).
SELECT c.function, c.calls, c.launch_ns, c.sync_ns, c.copy_ns, coalesce(g.ns, 0) AS idle_ns
FROM (SELECT function, total(count) AS calls, total(ns) AS all_ns, total(ns * (class IN ('launch', 'graph'))) AS launch_ns,
             total(ns * (class = 'sync')) AS sync_ns, total(ns * (class IN ('copy', 'async copy'))) AS copy_ns
      FROM (SELECT own_code AS function, coalesce(class, '') AS class, count, total AS ns FROM totals('call', 'own_code class') WHERE own_code IS NOT NULL)
      GROUP BY function) c
LEFT JOIN (SELECT c.own_code AS function, total(g.dur) AS ns FROM gap g JOIN call c ON c.id = g.call WHERE c.own_code IS NOT NULL GROUP BY c.own_code) g
  ON g.function = c.function
ORDER BY idle_ns DESC, all_ns DESC, c.function LIMIT CASE WHEN :limit > 0 THEN :limit ELSE -1 END
