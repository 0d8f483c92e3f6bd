-- name: captured
-- question: Which captured code takes the time of replayed CUDA graphs?
-- words: captur* cudagraph* graph* replay* layer* node*
-- category: nvtx
-- needs: graph_event "captures of CUDA graphs"
-- param: limit count 30 "most rows of a GPU; 0: all"
-- column gpu id "GPU"
-- column count count "Ops"
-- column total_ns ns "Total"
-- column share percent "Share" of "summed time of ops of graphs"
-- column nodes count "Nodes"
-- column path text "Captured in"
-- note: The NVTX ranges around the capture of a node, not around its launch. No text: no range was open, or the capture was not recorded.
-- note-if: SELECT printf('GPU %d: %.1f %% of that time has no known capture. Begin the recording before the warm-up that captures.', gpu, 100.0 * total(ns * (event IS NULL)) / total(ns)) FROM (SELECT group_track, gpu, dur AS ns, captured AS event FROM (SELECT 1 FROM graph_event LIMIT 1) CROSS JOIN op WHERE graph_node IS NOT NULL) GROUP BY group_track HAVING total(event IS NULL) > 0 ORDER BY group_track
-- note-if: SELECT printf('GPU %d: %d graph launches were recorded whole: their kernels are unknown (nsys profile --cuda-graph-trace=node records them).', gpu, count(*)) FROM graph GROUP BY group_track ORDER BY group_track
-- empty: No op of a CUDA graph is recorded as a node in the window.
SELECT gpu, count, ns AS total_ns, share, nodes, path
FROM (SELECT *, row_number() OVER (PARTITION BY group_track ORDER BY ns DESC, longest) AS place
      FROM (SELECT group_track, gpu, total(count) AS count, total(total) AS ns, count(*) AS nodes, min(longest) AS longest,
                   100.0 * total(total) / nullif(total(total(total)) OVER (PARTITION BY group_track), 0) AS share,
                   captured_path AS path
            FROM (SELECT 1 FROM graph_event LIMIT 1) CROSS JOIN totals('kernel copy memset', 'group_track gpu graph_node captured_path')
            WHERE graph_node IS NOT NULL GROUP BY group_track, captured_path))
WHERE :limit = 0 OR place <= :limit ORDER BY group_track, ns DESC, longest
