-- An idle GPU: 20 steps of 10 ms. The loader blocks the thread for 6 ms of each, the GPU then works for 4 ms.
WITH RECURSIVE step(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i < 19)
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId)
SELECT 10000000 * i + i * 7919 % 60000, 10000000 * i + 9990000, 59, 'step ' || i, tid, 0 FROM step, me;
WITH RECURSIVE step(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i < 19)
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId)
SELECT 10000000 * i + 70000, 10000000 * i + 5900000 + i * 7919 % 90000, 59, 'DataLoader.__next__', tid, 0 FROM step, me;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 159)
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
SELECT 10000000 * (i / 8) + 6000000 + i % 8 * 20000, 10000000 * (i / 8) + 6000000 + i % 8 * 20000 + 6000 + i * 7919 % 900, 0, tid, i + 1, 3, 0 FROM n, me;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 159)
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
SELECT 10000000 * (i / 8) + 6010000 + i % 8 * 480000, 10000000 * (i / 8) + 6010000 + i % 8 * 480000 + 460000 + i * 7919 % 9000, 0, 1, 7, i + 1, pid, 1, 1 FROM n, me;
