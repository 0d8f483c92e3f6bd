-- name: thread_calls
-- question: Which threads call CUDA and its libraries, and how often?
-- words: thread* call* cuda cublas cudnn api
-- category: host
-- column api text "API"
-- column pid id "Process"
-- column tid id "Thread"
-- column thread text "Name"
-- column calls count "Calls"
-- column share percent "Share" of "calls of the API in the window"
-- column threads count "Threads"
-- column processes count "Processes"
-- column all_calls count "Of all threads"
-- note: Threads, Processes, Of all threads: how many threads and processes call the API, and how often in all. Calls of the driver inside calls of the runtime count too.
SELECT api, pid, tid, thread, calls, 100.0 * calls / sum(calls) OVER whole AS share, count(*) OVER whole AS threads, dense_rank() OVER (PARTITION BY api ORDER BY pid) + dense_rank() OVER (PARTITION BY api ORDER BY pid DESC) - 1 AS processes, sum(calls) OVER whole AS all_calls
FROM (SELECT iif(kind = 'api', 'CUDA', replace(kind_label, ' call', '')) AS api, pid, tid, group_label AS thread, sum(count) AS calls, track
      FROM totals('event', 'kind kind_label track pid tid group_label', 'dur', 'kind:api,cublas,cudnn') GROUP BY 1, track)
WINDOW whole AS (PARTITION BY api) ORDER BY api = 'CUDA' DESC, calls DESC, api, track
