-- Sizes of the messages of MPI by name; a collective that sends and receives counts once in each direction.
WITH message AS (SELECT id, 'p2p' AS source, stats_field(id, 'MPI_P2P', 2) AS size FROM mpi UNION ALL SELECT id, 'coll_send', stats_field(id, 'MPI_COLLECTIVE', 1) FROM mpi
                 UNION ALL SELECT id, 'coll_recv', stats_field(id, 'MPI_COLLECTIVE', 2) FROM mpi)
SELECT total(size), count(*) AS n, mean(size), median(size), min(size), max(size), stdev(size), source, name
FROM (SELECT source, size, stats_known(stats_name(id)) AS name FROM message WHERE size IS NOT NULL) GROUP BY source, name ORDER BY n DESC, source, stats_place(name), name
