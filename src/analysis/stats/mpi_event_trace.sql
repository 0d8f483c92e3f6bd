-- Every MPI call in order of time, one for each event of the export: the two halves of a Sendrecv and each request of a Waitall have rows of their own.
SELECT start, end, dur, stats_known(stats_name(id)), coalesce(process, 0) & 16777215, coalesce(tid, 0) & 16777215, stats_field(id, 'MPI_P2P', 0), stats_rank(process), stats_field(id, 'MPI_P2P', 1),
       stats_field(id, 'MPI_COLLECTIVE', 0), stats_field(id, 'MPI_P2P', 2), stats_field(id, 'MPI_COLLECTIVE', 1), stats_field(id, 'MPI_COLLECTIVE', 2)
FROM mpi ORDER BY start, CASE source_table WHEN 'MPI_P2P_EVENTS' THEN 0 WHEN 'MPI_COLLECTIVES_EVENTS' THEN 1 WHEN 'MPI_START_WAIT_EVENTS' THEN 2 ELSE 3 END, source_row
