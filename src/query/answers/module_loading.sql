-- name: module_loading
-- question: What do loading and compiling of modules take?
-- words: modul* jit ptx compil* load* link* warm* start*
-- category: host
-- param: limit count 20 "most rows; 0: all"
-- column pid id "Process"
-- column tid id "Thread"
-- column count count "Calls"
-- column total_ns ns "Total"
-- column share percent "Share" of "window"
-- column max_ns ns "Longest"
-- column longest_at_ns time "At"
-- column name text "Call or range"
-- note: Durations are not clipped to the window. Nested calls all count, and so do threads that run at the same time.
-- empty: No call loads, links or compiles a module in the window.
WITH part(word) AS (VALUES ('moduleload'), ('modulegetfunction'), ('libraryload'), ('linkcreate'), ('linkadd'),
                           ('linkcomplete'), ('compileptx'), ('libraryget'), ('funcload')),
     whole(word) AS (VALUES ('torch.compile'), ('torchinductor'), ('triton_compile'))
SELECT coalesce(t.pid, 0) AS pid, coalesce(t.tid, 0) AS tid, t.count, t.total AS total_ns,
       100.0 * t.total / (:window_end - :window_start) AS share, t.max AS max_ns, e.start AS longest_at_ns, t.fold AS name
FROM totals('call nvtx', 'kind kind_label track pid tid fold') t JOIN event e ON e.id = t.longest
WHERE t.kind = 'api' AND EXISTS (SELECT 1 FROM part WHERE contains(t.fold, word))
   OR t.kind_label = 'NVTX range' AND EXISTS (SELECT 1 FROM whole
      WHERE ' ' || lower(t.fold) || ' ' GLOB '*[^a-z0-9#]' || word || '[^a-z0-9#]*')
ORDER BY t.total DESC, t.longest
