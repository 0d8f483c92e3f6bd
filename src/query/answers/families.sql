-- name: families
-- question: What kinds of work take the GPU time?
-- words: famil* gemm attention moe norm elementwise sampling embedding engine cublas cutlass triton
-- category: kernels
-- needs: op "GPU work"
-- param: limit count 10 "most names that tell no family; 0: all"
-- column gpu id "GPU"
-- column family text "Family"
-- column count count "Count"
-- column total_ns ns "Total"
-- column share percent "Share" of "summed time of kernels, copies and memsets"
-- note-if: SELECT printf('GPU %d: the kernels are unknown in %d graph launches recorded whole, %.1f %% of its busy time (nsys profile --cuda-graph-trace=node records them).', g.gpu, g.n, 100.0 * g.busy / b.busy) FROM (SELECT rank, gpu, group_track, count(*) AS n, covered(clip_start, clip_end) AS busy FROM graph GROUP BY group_track) g JOIN time_bin(1) b ON b.rank IS g.rank AND b.gpu = g.gpu WHERE g.busy > 0 ORDER BY g.group_track
-- note: By the names of kernels alone; a name that tells no family is "other". Copies and memsets of the driver count as copy and memory.
-- empty: There is no GPU work in the window.
SELECT gpu, family, total(count) AS count, total(ns) AS total_ns,
       100.0 * total(ns) / nullif(total(total(ns)) OVER (PARTITION BY group_track), 0) AS share
FROM (SELECT group_track, gpu, count, total AS ns,
             coalesce(family, CASE kind WHEN 'memset' THEN 'memory' ELSE 'copy' END) AS family
      FROM totals('kernel copy memset', 'group_track gpu kind family engine name'))
GROUP BY group_track, family ORDER BY group_track, total_ns DESC, family
-- sheet: engines "Engines"
-- column gpu id "GPU"
-- column family text "Family"
-- column engine text "Engine"
-- column collective text "Collective"
-- column count count "Count"
-- column total_ns ns "Total"
-- column share percent "Share" of "summed time of kernels"
-- note: The engine is whose code a kernel is, where its name tells.
SELECT gpu, family, engine, collective, total(count) AS count, total(ns) AS total_ns,
       100.0 * total(ns) / nullif(total(total(ns)) OVER (PARTITION BY group_track), 0) AS share
FROM (SELECT group_track, gpu, count, total AS ns, family, engine, CASE family WHEN 'collective' THEN collective_of(name) END AS collective
      FROM totals('kernel copy memset', 'group_track gpu kind family engine name') WHERE family IS NOT NULL)
GROUP BY group_track, family, engine, collective ORDER BY group_track, total_ns DESC, family, engine, collective
-- sheet: phases "Phases of iterations"
-- column gpu id "GPU"
-- column phase text "Phase"
-- column family text "Family"
-- column count count "Count"
-- column total_ns ns "Total"
-- column share percent "Share" of "summed time of kernels of the phase"
-- note: A kernel belongs to the phase in which it was launched, as skill bound tells.
-- empty: The iterations have no phases that ranges or kinds of iterations tell apart.
SELECT gpu, phase, family, count, total AS total_ns, 100.0 * total / nullif(total(total) OVER (PARTITION BY group_track, phase), 0) AS share
FROM totals('kernel', 'group_track gpu phase family') WHERE phase IS NOT NULL
ORDER BY group_track, total(total) OVER (PARTITION BY group_track, phase) DESC, phase, total_ns DESC, family
-- sheet: iterations "An iteration"
-- column gpu id "GPU"
-- column family text "Family"
-- column iterations count "Iterations"
-- column median_ns ns "Median"
-- column least_ns ns "Least"
-- column most_ns ns "Most"
-- column most_in id "Most in"
-- note: The summed time of kernels that start in an iteration, of the iterations that have the family. Most in: the number of the iteration.
-- empty: There are no iterations.
SELECT gpu, family, count(*) AS iterations, CAST(round(median(ns)) AS INTEGER) AS median_ns, min(ns) AS least_ns, max(ns) AS most_ns, min(iteration) FILTER (WHERE place = 1) AS most_in
FROM (SELECT group_track, gpu, family, iteration, total AS ns, row_number() OVER (PARTITION BY group_track, family ORDER BY total DESC, iteration) AS place
      FROM totals('kernel', 'group_track gpu family iteration') WHERE iteration IS NOT NULL)
GROUP BY group_track, family ORDER BY group_track, median_ns DESC, family
-- sheet: other_names "Names that tell no family"
-- column gpu id "GPU"
-- column count count "Count"
-- column total_ns ns "Total"
-- column share percent "Share" of "summed time of kernels"
-- column name text "Kernel"
SELECT gpu, count, ns AS total_ns, share, name
FROM (SELECT *, row_number() OVER (PARTITION BY group_track ORDER BY ns DESC, longest) AS place
      FROM (SELECT group_track, gpu, family, count, total AS ns, longest, name,
                   100.0 * total / nullif(total(total) OVER (PARTITION BY group_track), 0) AS share
            FROM totals('kernel copy memset', 'group_track gpu kind family engine name') WHERE family IS NOT NULL)
      WHERE family = 'other')
WHERE :limit = 0 OR place <= :limit ORDER BY group_track, ns DESC, longest
