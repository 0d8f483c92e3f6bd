-- MPI calls by table and name, one for each event of the export.
SELECT total(dur) * 100.0 / nullif(total(total(dur)) OVER (), 0), total(dur) AS sum, count(*), mean(dur), median(dur), min(dur), max(dur), stdev(dur), source, name
FROM (SELECT CASE source_table WHEN 'MPI_P2P_EVENTS' THEN 'p2p' WHEN 'MPI_COLLECTIVES_EVENTS' THEN 'collectives' WHEN 'MPI_START_WAIT_EVENTS' THEN 'start-wait' ELSE 'other' END AS source,
             stats_known(stats_name(id)) AS name, dur FROM mpi)
GROUP BY source, name ORDER BY sum DESC, source, stats_place(name), name
