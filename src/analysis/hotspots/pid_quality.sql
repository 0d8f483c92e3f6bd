-- question: Processes of the kernels
-- column rows_with_pid count
-- column pid0_rows count
-- column pid_ge_10m_rows count
-- column kernel_pid_count count
-- column runtime_pid_count count
-- column nvtx_pid_count count
SELECT coalesce(total(count), 0) AS rows_with_pid, coalesce(total(count * (pid IS NULL)), 0) AS pid0_rows, coalesce(total(count * coalesce(pid >= 10000000, 0)), 0) AS pid_ge_10m_rows, count(*) AS kernel_pid_count, (SELECT count(*) FROM totals('call', 'pid')) AS runtime_pid_count,
       (SELECT count(*) FROM totals('nvtx mark', 'pid')) AS nvtx_pid_count FROM totals('kernel', 'pid')
