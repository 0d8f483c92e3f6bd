-- Transfers: 20 steps of 10 ms. 64 MiB of pageable memory are copied to the GPU for 5 ms of each before the kernels, on the same stream.
WITH RECURSIVE step(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i < 19)
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId)
SELECT 10000000 * i + i * 7919 % 60000, 10000000 * i + 9990000, 59, 'step ' || i, tid, 0 FROM step, me;
WITH RECURSIVE step(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i < 19)
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
SELECT 10000000 * i + 70000, 10000000 * i + 5250000 + i * 7919 % 9000, 0, tid, 1000 + i, 9, 0 FROM step, me;
WITH RECURSIVE step(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i < 19)
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY
SELECT 10000000 * i + 90000, 10000000 * i + 5230000 + i * 7919 % 9000, 0, 1, 7, 1000 + i, pid, 67108864, 1, 0, 2 FROM step, me;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 159)
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
SELECT 10000000 * (i / 8) + 5270000 + i % 8 * 12000, 10000000 * (i / 8) + 5270000 + i % 8 * 12000 + 6000 + i * 7919 % 900, 0, tid, i + 1, 3, 0 FROM n, me;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 159)
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
SELECT 10000000 * (i / 8) + 5290000 + i % 8 * 580000, 10000000 * (i / 8) + 5290000 + i % 8 * 580000 + 560000 + i * 7919 % 9000, 0, 1, 7, i + 1, pid, 1, 1 FROM n, me;
