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
             CASE kind WHEN 'kernel' THEN family_of(name) WHEN 'memset' THEN 'memory' ELSE 'copy' END AS family
      FROM totals('kernel copy memset', 'group_track gpu kind name'))
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
FROM (SELECT group_track, gpu, count, total AS ns, family_of(name) AS family, engine_of(name) AS engine,
             CASE WHEN family_of(name) = 'collective' THEN collective_of(name) END AS collective
      FROM totals('kernel', 'group_track gpu name'))
GROUP BY group_track, family, engine, collective ORDER BY group_track, total_ns DESC, family, engine, collective
-- sheet: other_names "Names that tell no family"
-- column gpu id "GPU"
-- column count count "Count"
-- column total_ns ns "Total"
-- column share percent "Share" of "summed time of kernels"
-- column name text "Kernel"
SELECT gpu, count, ns AS total_ns, share, name
FROM (SELECT *, row_number() OVER (PARTITION BY group_track ORDER BY ns DESC, longest) AS place
      FROM (SELECT group_track, gpu, count, total AS ns, longest, name,
                   100.0 * total / nullif(total(total) OVER (PARTITION BY group_track), 0) AS share
            FROM totals('kernel', 'group_track gpu name'))
      WHERE family_of(name) = 'other')
WHERE :limit = 0 OR place <= :limit ORDER BY group_track, ns DESC, longest
