-- name: kernel_instances
-- question: Which single kernels are the longest?
-- words: instance* single kernel* longest each occurrence*
-- category: utility
-- param: name text "text that the name contains, in any case"
-- param: limit count 20 "most rows; 0: all"
-- column gpu id "GPU"
-- column stream id "Stream"
-- column start_ns time "Start"
-- column end_ns time "End"
-- column duration_ns ns "Duration"
-- column kernel text "Kernel"
-- left-out: SELECT max(total(count) - :limit, 0) FROM totals('kernel', 'name short') WHERE :limit > 0 AND (:name IS NULL OR contains(name, :name) OR contains(short, :name))
-- note: The longest come first. Times are not clipped to the window. -p name= selects kernels by name.
-- empty: No such kernel is in the window.
SELECT k.device AS gpu, k.stream, k.start AS start_ns, k.end AS end_ns, k.dur AS duration_ns, k.label AS kernel
FROM (SELECT id, dur FROM kernel
      WHERE :name IS NULL OR name_id IN (SELECT text_id FROM totals('kernel', 'name') WHERE contains(name, :name))
            OR short_id IN (SELECT text_id FROM totals('kernel', 'short') WHERE contains(short, :name))
      ORDER BY dur DESC, id LIMIT iif(:limit > 0, :limit, -1)) l JOIN kernel k ON k.id = l.id
ORDER BY l.dur DESC, l.id
-- sheet: iterations "Iterations in which they run"
-- column gpu id "GPU"
-- column kernel text "Kernel"
-- column iterations count "Iterations"
-- column numbers text "Numbers"
-- empty: No kernel of -p name= runs in an iteration.
SELECT gpu, kernel, count(*) AS iterations, group_concat(iteration, ', ') FILTER (WHERE place <= 20) || iif(count(*) > 20, ' ...', '') AS numbers
FROM (SELECT *, short AS kernel, row_number() OVER (PARTITION BY group_track, short ORDER BY iteration) AS place
      FROM totals('kernel', 'group_track gpu short iteration') WHERE iteration IS NOT NULL AND contains(short, :name))
GROUP BY group_track, kernel ORDER BY iterations DESC, kernel, group_track
