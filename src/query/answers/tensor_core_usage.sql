-- name: tensor_core_usage
-- question: Do matrix kernels use tensor cores?
-- words: tensor core* tensorcore* matmul gemm matrix tc precision
-- category: kernels
-- needs: op "GPU work"
-- param: limit count 10 "most rows; 0: all"
-- column gpu id "GPU"
-- column kernels count "Matrix kernels"
-- column total_ns ns "Their time"
-- column of_all percent "Of all" of "summed kernel time"
-- column tensor_kernels count "On tensor cores"
-- column tensor_ns ns "Time on them"
-- column tensor_share percent "Share" of "time of matrix kernels"
-- note-if: SELECT printf('GPU %d: the kernels are unknown in %d graph launches recorded whole, %.1f %% of its busy time (nsys profile --cuda-graph-trace=node records them).', g.gpu, g.n, 100.0 * g.busy / b.busy) FROM (SELECT rank, gpu, group_track, count(*) AS n, covered(clip_start, clip_end) AS busy FROM graph GROUP BY group_track) g JOIN time_bin(1) b ON b.rank IS g.rank AND b.gpu = g.gpu WHERE g.busy > 0 ORDER BY g.group_track
-- note: Recognized by the kernel's name alone, so this is a lower bound. Only Nsight Compute or GPU metrics show how busy the tensor cores are.
-- empty: There are no kernels in the window.
SELECT gpu, total(count * is_matrix) AS kernels, total(ns * is_matrix) AS total_ns,
       100.0 * total(ns * is_matrix) / total(ns) AS of_all, total(count * is_tensor) AS tensor_kernels,
       total(ns * is_tensor) AS tensor_ns,
       100.0 * total(ns * is_tensor) / nullif(total(ns * is_matrix), 0) AS tensor_share
FROM (SELECT gpu, group_track, count, total AS ns, matrix_of(name) IS NOT NULL AS is_matrix,
             coalesce(matrix_of(name) NOT IN ('unknown', 'fp32', 'fp64'), 0) AS is_tensor
      FROM totals('kernel', 'group_track gpu name short'))
GROUP BY group_track HAVING total(ns) > 0 ORDER BY group_track
-- sheet: other_matrix_kernels "Matrix kernels not known to use tensor cores"
-- column gpu id "GPU"
-- column count count "Kernels"
-- column total_ns ns "Total"
-- column precision text "Precision"
-- column kernel text "Matrix kernel that is not known to use tensor cores"
SELECT gpu, count, ns AS total_ns, nullif(precision, 'unknown') AS precision, name AS kernel
FROM (SELECT gpu, group_track, count, total AS ns, longest, name, matrix_of(name) AS precision,
             row_number() OVER (PARTITION BY group_track ORDER BY total DESC, longest) AS place
      FROM totals('kernel', 'group_track gpu name short')
      WHERE matrix_of(name) IN ('unknown', 'fp32', 'fp64'))
WHERE :limit = 0 OR place <= :limit ORDER BY group_track, ns DESC, longest
