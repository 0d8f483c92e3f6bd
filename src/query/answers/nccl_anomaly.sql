-- name: nccl_anomaly
-- question: Which collectives take much longer than others?
-- words: nccl collective* anomal* outlier* straggler* slow*
-- category: communication
-- needs: op "GPU work"
-- param: factor number 3 "a multiple of the mean from which a kernel is unusual (3)"
-- param: limit count 20 "most rows; 0: all"
-- column gpu id "GPU"
-- column stream id "Stream"
-- column collective text "Collective"
-- column start_ns time "Start"
-- column duration_ns ns "Duration"
-- column avg_ns ns "Usual"
-- column times number 1 "Times"
-- column kernel text "Kernel"
-- left-out: SELECT total(max(n - :limit, 0)) FROM (SELECT count(*) AS n FROM kernel k JOIN (SELECT group_track, collective_of(short) AS collective, total(count) AS n, total(total) AS ns FROM totals('kernel', 'group_track comm short') WHERE comm = 1 GROUP BY 1, 2 HAVING n > 1) u ON u.group_track = k.group_track AND u.collective = collective_of(k.short) WHERE k.comm = 1 AND k.dur > :factor * ((u.ns - k.dur) / (u.n - 1)) AND u.ns - k.dur >= u.n - 1 GROUP BY k.group_track) WHERE :limit > 0
-- note-if: SELECT printf('Longer than %.3g times the mean of the other kernels of the same collective on the same GPU%s', :factor, iif(total(n > 1 AND longest > :factor * ((ns - longest) / (n - 1)) AND ns - longest >= n - 1), '; the limit applies to each GPU.', ': no kernel is.')) FROM (SELECT total(count) AS n, total(total) AS ns, max(max) AS longest FROM totals('kernel', 'group_track comm short') WHERE comm = 1 GROUP BY group_track, collective_of(short)) HAVING count(*) > 0
-- note-if: SELECT 'The window has no communication kernels.' WHERE NOT EXISTS (SELECT 1 FROM totals('kernel', 'group_track comm short') WHERE comm = 1)
WITH usual AS (SELECT group_track, collective_of(short) AS collective, total(count) AS n, total(total) AS ns
               FROM totals('kernel', 'group_track comm short') WHERE comm = 1 GROUP BY 1, 2 HAVING n > 1),
     found AS (SELECT k.id, k.group_track, k.dur, (u.ns - k.dur) / (u.n - 1) AS mean, u.collective
               FROM kernel k JOIN usual u ON u.group_track = k.group_track AND u.collective = collective_of(k.short)
               WHERE k.comm = 1 AND k.dur > :factor * ((u.ns - k.dur) / (u.n - 1)) AND u.ns - k.dur >= u.n - 1)
SELECT k.gpu, k.stream, f.collective, k.start AS start_ns, k.dur AS duration_ns, f.mean AS avg_ns, 1.0 * k.dur / f.mean AS times, k.label AS kernel
FROM (SELECT *, row_number() OVER (PARTITION BY group_track ORDER BY dur - mean DESC, id) AS place FROM found) f JOIN kernel k ON k.id = f.id
WHERE :limit = 0 OR place <= :limit ORDER BY f.group_track, place
