/*
 * Declares and fills the tables of a synthetic export, with the names and types of a 2026 export.
 */
#include "nsys/generate/generate_tables.h"

#include "core/die.h"
#include "core/vec.h"
#include "nsys/generate/new_export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const schema_sql[] = {
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER,"
    " streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,"
    " demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER,"
    " launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL,"
    " gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL,"
    " blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL,"
    " staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL,"
    " localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL,"
    " gridId INTEGER NOT NULL, sharedMemoryExecuted INTEGER, graphNodeId INTEGER,"
    " sharedMemoryLimitConfig INTEGER, qmdBulkReleaseDone INTEGER, qmdPreexitDone INTEGER,"
    " qmdLastCtaDone INTEGER, graphId INTEGER, clusterX INTEGER, clusterY INTEGER, clusterZ "
    "INTEGER,"
    " clusterSchedulingPolicy INTEGER, maxPotentialClusterSize INTEGER, maxActiveClusters INTEGER)",
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER,"
    " streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL,"
    " copyKind INTEGER NOT NULL, deprecatedSrcId INTEGER, srcKind INTEGER, dstKind INTEGER,"
    " srcDeviceId INTEGER, srcContextId INTEGER, dstDeviceId INTEGER, dstContextId INTEGER,"
    " migrationCause INTEGER, graphNodeId INTEGER, virtualAddress INTEGER, copyCount INTEGER)",
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER,"
    " streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, value INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL, graphNodeId INTEGER, memKind INTEGER)",
    "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " deviceId INTEGER NOT NULL, graphId INTEGER NOT NULL, graphExecId INTEGER NOT NULL,"
    " contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,"
    " correlationId INTEGER, globalPid INTEGER)",
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT "
    "NULL,"
    " returnValue INTEGER NOT NULL, callchainId INTEGER)",
    "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, end INTEGER NOT "
    "NULL,"
    " deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER,"
    " streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, deprecatedSyncType "
    "INTEGER,"
    " syncType INTEGER NOT NULL, eventId INTEGER NOT NULL, eventSyncId INTEGER)",
    "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,"
    " rangeId INTEGER, category INTEGER, color INTEGER, text TEXT, globalTid INTEGER,"
    " endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value INTEGER,"
    " int64Value INTEGER, doubleValue REAL, uint32Value INTEGER, int32Value INTEGER,"
    " floatValue REAL, jsonTextId INTEGER, jsonText TEXT, binaryData TEXT)",
    "CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT "
    "NULL,"
    " globalTid INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, nestingLevel "
    "INTEGER,"
    " callchainId INTEGER NOT NULL, argumentsId INTEGER)",
    "CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER NOT NULL, metricId INTEGER NOT "
    "NULL,"
    " value INTEGER NOT NULL)",
    "CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER NOT NULL, sourceId INTEGER NOT NULL,"
    " typeName TEXT NOT NULL, metricId INTEGER NOT NULL, metricName TEXT NOT NULL)",
    "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER NOT NULL, globalPid INTEGER,"
    " deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, address INTEGER NOT NULL,"
    " pc INTEGER NOT NULL, bytes INTEGER NOT NULL, memKind INTEGER NOT NULL,"
    " memoryOperationType INTEGER NOT NULL, name TEXT, correlationId INTEGER)",
    "CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT)",
    "CREATE TABLE ProcessStreams (globalPid INTEGER NOT NULL, filenameId INTEGER NOT NULL,"
    " contentId INTEGER NOT NULL)",
    "CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER)",
    "CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT,"
    " busLocation TEXT, isDiscrete INTEGER, l2CacheSize INTEGER, totalMemory INTEGER,"
    " memoryBandwidth INTEGER, clockRate INTEGER, smCount INTEGER)",
    "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER NOT NULL, cudaId INTEGER NOT NULL,"
    " pid INTEGER NOT NULL, uuid TEXT NOT NULL)",
    "CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER NOT NULL, hwId INTEGER NOT NULL,"
    " vmId INTEGER NOT NULL, processId INTEGER NOT NULL, contextId INTEGER NOT NULL,"
    " priority INTEGER NOT NULL, flag INTEGER NOT NULL)",
    "CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (nullStreamId INTEGER NOT NULL, hwId INTEGER NOT "
    "NULL,"
    " vmId INTEGER NOT NULL, processId INTEGER NOT NULL, deviceId INTEGER NOT NULL,"
    " contextId INTEGER NOT NULL)",
    "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime "
    "TEXT)",
    "CREATE TABLE ANALYSIS_DETAILS (globalVid INTEGER NOT NULL, duration INTEGER NOT NULL,"
    " startTime INTEGER NOT NULL, stopTime INTEGER NOT NULL)",
    "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT)",
    "CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT)",
    "CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT)",
    "CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT)",
    "CREATE TABLE ENUM_NSYS_EVENT_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT)",
    "INSERT INTO META_DATA_EXPORT VALUES('EXPORT_SCHEMA_VERSION','3.24.14'),"
    " ('EXPORT_SCHEMA_VERSION_MAJOR','3'),('EXPORT_SCHEMA_VERSION_MINOR','24'),"
    " ('EXPORT_SCHEMA_VERSION_MICRO','14'),('EXPORT_PRODUCT_VERSION','2026.1.1.204'),"
    " ('EXPORT_PLATFORM','synthetic')",
    "INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES(0,'UNKNOWN','Unknown'),(1,'HTOD','Host-to-Device'),"
    " (2,'DTOH','Device-to-Host'),(8,'DTOD','Device-to-Device'),(10,'PTOP','Peer-to-Peer')",
    "INSERT INTO ENUM_CUDA_MEM_KIND VALUES(0,'PAGEABLE','Pageable'),(1,'PINNED','Pinned'),"
    " (2,'DEVICE','Device')",
    "INSERT INTO ENUM_NSYS_EVENT_TYPE VALUES(34,'NvtxMark','NvtxMark'),"
    " (59,'NvtxPushPopRange','NvtxPushPopRange'),(60,'NvtxStartEndRange','NvtxStartEndRange'),"
    " (75,'NvtxDomainCreate','NvtxDomainCreate')"};

/* The statement of each table. text: position of the text among the parameters; 0: none. */
static const struct {
    const char *sql;
    int text;
} inserts[NSC_N_WRITES] = {
    [NSC_WRITE_KERNEL] =
        {"INSERT INTO "
         "CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,contextId,streamId,correlationId,"
         "globalPid,demangledName,shortName,mangledName,registersPerThread,gridX,gridY,gridZ,"
         "blockX,"
         "blockY,blockZ,staticSharedMemory,dynamicSharedMemory,localMemoryPerThread,"
         "localMemoryTotal,"
         "gridId,sharedMemoryExecuted,graphNodeId,graphId)"
         " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
         0},
    [NSC_WRITE_MEMCPY] =
        {"INSERT INTO "
         "CUPTI_ACTIVITY_KIND_MEMCPY(start,end,deviceId,contextId,streamId,correlationId,"
         "globalPid,bytes,copyKind,srcKind,dstKind,srcDeviceId,dstDeviceId,copyCount)"
         " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
         0},
    [NSC_WRITE_MEMSET] =
        {"INSERT INTO "
         "CUPTI_ACTIVITY_KIND_MEMSET(start,end,deviceId,contextId,streamId,correlationId,"
         "globalPid,value,bytes,memKind) VALUES(?,?,?,?,?,?,?,?,?,?)",
         0},
    [NSC_WRITE_GRAPH] =
        {"INSERT INTO "
         "CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start,end,deviceId,graphId,graphExecId,contextId,"
         "streamId,correlationId,globalPid) VALUES(?,?,?,?,?,?,?,?,?)",
         0},
    [NSC_WRITE_RUNTIME] =
        {"INSERT INTO "
         "CUPTI_ACTIVITY_KIND_RUNTIME(start,end,eventClass,globalTid,correlationId,nameId,"
         "returnValue) VALUES(?,?,?,?,?,?,?)",
         0},
    [NSC_WRITE_SYNC] =
        {"INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start,end,deviceId,contextId,streamId,"
         "correlationId,globalPid,syncType,eventId) VALUES(?,?,?,?,?,?,?,?,?)",
         0},
    [NSC_WRITE_NVTX] =
        {"INSERT INTO NVTX_EVENTS(start,end,eventType,rangeId,color,globalTid,endGlobalTid,textId,"
         "domainId,text) VALUES(?,?,?,?,?,?,?,?,?,?)",
         10},
    [NSC_WRITE_OSRT] = {"INSERT INTO OSRT_API(start,end,eventClass,globalTid,nameId,returnValue,"
                        "nestingLevel,callchainId) VALUES(?,?,?,?,?,?,?,?)",
                        0},
    [NSC_WRITE_METRIC] = {"INSERT INTO GPU_METRICS VALUES(?,?,?,?)", 0},
    [NSC_WRITE_MEMORY] =
        {"INSERT INTO "
         "CUDA_GPU_MEMORY_USAGE_EVENTS(start,globalPid,deviceId,contextId,address,pc,bytes,"
         "memKind,memoryOperationType,correlationId) VALUES(?,?,?,?,?,?,?,?,?,?)",
         0},
    [NSC_WRITE_PROCESS] = {"INSERT INTO PROCESSES(globalPid,pid,name) VALUES(?,?,?)", 3},
    [NSC_WRITE_THREAD] = {"INSERT INTO ThreadNames VALUES(?,?,?)", 0},
    [NSC_WRITE_GPU] = {"INSERT INTO TARGET_INFO_GPU(vmId,id,isDiscrete,totalMemory,smCount,name)"
                       " VALUES(?,?,?,?,?,?)",
                       6},
    [NSC_WRITE_DEVICE] = {"INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES(?,?,?,?)", 4},
    [NSC_WRITE_CONTEXT] = {"INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO VALUES(?,?,?,?,?,?)", 0},
    [NSC_WRITE_METRIC_NAME] =
        {"INSERT INTO TARGET_INFO_GPU_METRICS(typeId,sourceId,typeName,metricId,metricName)"
         " VALUES(?,?,'GPU metrics',?,?)",
         4},
};

struct nsc_writer {
    struct nsc_new_export out;
    sqlite3_stmt *insert[NSC_N_WRITES];
    sqlite3_stmt *string;
    NSC_VEC(char *) strings; /* index is the id */
    uint32_t taken;          /* NSC_WRITE_BIT of the tables being written */
};

enum nsc_status nsc_writer_open(struct nsc_writer **out, const char *path, bool force,
                                struct nsc_error *error)
{
    struct nsc_writer *writer = nsc_xcalloc(1, sizeof *writer);
    enum nsc_status status = nsc_new_export_open(&writer->out, path, force, error);

    *out = NULL;
    if (status != NSC_OK) {
        free(writer);
        return status;
    }
    writer->taken = NSC_WRITE_ALL;
    for (unsigned i = 0; i < sizeof schema_sql / sizeof schema_sql[0]; i++)
        nsc_new_export_run(&writer->out, schema_sql[i]);
    for (unsigned i = 0; i < NSC_N_WRITES && writer->out.rc == SQLITE_OK; i++)
        nsc_new_export_note(&writer->out, sqlite3_prepare_v2(writer->out.db, inserts[i].sql, -1,
                                                             &writer->insert[i], NULL));
    if (writer->out.rc == SQLITE_OK)
        nsc_new_export_note(&writer->out,
                            sqlite3_prepare_v2(writer->out.db, "INSERT INTO StringIds VALUES(?,?)",
                                               -1, &writer->string, NULL));
    if (writer->out.rc != SQLITE_OK)
        return nsc_writer_close(writer, false, error);
    *out = writer;
    return NSC_OK;
}

enum nsc_status nsc_writer_close(struct nsc_writer *writer, bool keep, struct nsc_error *error)
{
    enum nsc_status status;

    for (unsigned i = 0; i < NSC_N_WRITES; i++)
        sqlite3_finalize(writer->insert[i]);
    sqlite3_finalize(writer->string);
    status = nsc_new_export_close(&writer->out, keep, error);
    for (size_t i = 0; i < writer->strings.n; i++)
        free(writer->strings.at[i]);
    NSC_VEC_FINI(&writer->strings);
    free(writer);
    return status;
}

void nsc_writer_end(struct nsc_writer *writer, int64_t end)
{
    long long duration = end + 1000000;
    char sql[400];

    snprintf(sql, sizeof sql,
             "INSERT INTO ANALYSIS_DETAILS VALUES(0,%lld,0,%lld);"
             "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES(1767225600000000000,"
             "'2026-01-01 00:00:00','2026-01-01 00:00:00');"
             "INSERT INTO META_DATA_CAPTURE VALUES('COMMAND_LINE','nsyscope generate');",
             duration, duration);
    nsc_new_export_run(&writer->out, sql);
}

void nsc_writer_take(struct nsc_writer *writer, uint32_t tables)
{
    writer->taken = tables;
}

bool nsc_writer_takes(const struct nsc_writer *writer, enum nsc_writer_table table)
{
    return (writer->taken & NSC_WRITE_BIT(table)) != 0;
}

bool nsc_writer_has_failed(const struct nsc_writer *writer)
{
    return writer->out.rc != SQLITE_OK;
}

int64_t nsc_writer_string(struct nsc_writer *writer, const char *text)
{
    int64_t id = 0;

    for (size_t i = 0; i < writer->strings.n; i++)
        if (strcmp(writer->strings.at[i], text) == 0)
            return (int64_t)i;
    id = (int64_t)writer->strings.n;
    *NSC_VEC_ADD(&writer->strings) = nsc_xcopy(text, strlen(text));
    nsc_new_export_note(&writer->out, sqlite3_bind_int64(writer->string, 1, id));
    nsc_new_export_note(&writer->out,
                        sqlite3_bind_text(writer->string, 2, text, -1, SQLITE_TRANSIENT));
    nsc_new_export_note(&writer->out, sqlite3_step(writer->string));
    nsc_new_export_note(&writer->out, sqlite3_reset(writer->string));
    return id;
}

void nsc_writer_add(struct nsc_writer *writer, enum nsc_writer_table table, const int64_t *values,
                    uint32_t n, const char *text)
{
    sqlite3_stmt *insert = writer->insert[table];
    int place = inserts[table].text;

    if (!nsc_writer_takes(writer, table))
        return;
    for (uint32_t i = 0; i < n; i++) {
        if (values[i] == NSC_WRITE_NULL)
            nsc_new_export_note(&writer->out, sqlite3_bind_null(insert, (int)i + 1));
        else
            nsc_new_export_note(&writer->out, sqlite3_bind_int64(insert, (int)i + 1, values[i]));
    }
    if (place && text)
        nsc_new_export_note(&writer->out,
                            sqlite3_bind_text(insert, place, text, -1, SQLITE_STATIC));
    else if (place)
        nsc_new_export_note(&writer->out, sqlite3_bind_null(insert, place));
    nsc_new_export_note(&writer->out, sqlite3_step(insert));
    nsc_new_export_note(&writer->out, sqlite3_reset(insert));
}
