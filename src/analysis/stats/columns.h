/* The columns of each report, with the source tool's headings. */
#ifndef NSC_ANALYSIS_STATS_COLUMNS_H
#define NSC_ANALYSIS_STATS_COLUMNS_H

#include "analysis/stats/stats.h"

/* clang-format off */
#define COLUMN_TIMES \
    {"Avg", NSC_STATS_TIME}, {"Med", NSC_STATS_TIME}, {"Min", NSC_STATS_TIME}, \
    {"Max", NSC_STATS_TIME}, {"StdDev", NSC_STATS_TIME}
#define COLUMN_SUM(count) \
    {"Time", NSC_STATS_PERCENT}, {"Total Time", NSC_STATS_TIME}, {count, NSC_STATS_PLAIN}, COLUMN_TIMES
#define COLUMN_TEXT(title) {title, NSC_STATS_TEXT}
#define COLUMN_PLAIN(title) {title, NSC_STATS_PLAIN}
#define COLUMN_TIME(title) {title, NSC_STATS_TIME}
#define COLUMN_BYTES(title) {title, NSC_STATS_BYTES}
#define COLUMN_END {NULL, 0}

static const struct nsc_stats_column columns_instances_name[] = {
    COLUMN_SUM("Instances"), COLUMN_TEXT("Name"), COLUMN_END};
static const struct nsc_stats_column columns_calls[] = {
    COLUMN_SUM("Num Calls"), COLUMN_TEXT("Name"), COLUMN_END};
static const struct nsc_stats_column columns_count_name[] = {
    COLUMN_SUM("Count"), COLUMN_TEXT("Name"), COLUMN_END};
static const struct nsc_stats_column columns_count_operation[] = {
    COLUMN_SUM("Count"), COLUMN_TEXT("Operation"), COLUMN_END};
static const struct nsc_stats_column columns_category[] = {
    COLUMN_SUM("Instances"), COLUMN_TEXT("Category"), COLUMN_TEXT("Operation"), COLUMN_END};
static const struct nsc_stats_column columns_size[] = {
    COLUMN_BYTES("Total"), COLUMN_PLAIN("Count"), COLUMN_BYTES("Avg"), COLUMN_BYTES("Med"), COLUMN_BYTES("Min"),
    COLUMN_BYTES("Max"), COLUMN_BYTES("StdDev"), COLUMN_TEXT("Operation"), COLUMN_END};
static const struct nsc_stats_column columns_grid[] = {
    COLUMN_SUM("Instances"), COLUMN_TEXT("GridXYZ"), COLUMN_TEXT("BlockXYZ"), COLUMN_TEXT("Name"), COLUMN_END};
static const struct nsc_stats_column columns_gpu_trace[] = {
    COLUMN_TIME("Start"), COLUMN_TIME("Duration"), COLUMN_PLAIN("CorrId"), COLUMN_PLAIN("GrdX"), COLUMN_PLAIN("GrdY"),
    COLUMN_PLAIN("GrdZ"), COLUMN_PLAIN("BlkX"), COLUMN_PLAIN("BlkY"), COLUMN_PLAIN("BlkZ"), COLUMN_PLAIN("Reg/Trd"),
    COLUMN_BYTES("StcSMem"), COLUMN_BYTES("DymSMem"), COLUMN_BYTES("Bytes"), {"Throughput", NSC_STATS_RATE},
    COLUMN_TEXT("SrcMemKd"), COLUMN_TEXT("DstMemKd"), COLUMN_TEXT("Device"), COLUMN_PLAIN("Ctx"), COLUMN_PLAIN("GreenCtx"),
    COLUMN_PLAIN("Strm"), COLUMN_TEXT("Name"), COLUMN_END};
static const struct nsc_stats_column columns_api_trace[] = {
    COLUMN_TIME("Start"), COLUMN_TIME("Duration"), COLUMN_TEXT("Name"), COLUMN_PLAIN("Result"), COLUMN_PLAIN("CorrID"),
    COLUMN_PLAIN("Pid"), COLUMN_PLAIN("Tid"), COLUMN_PLAIN("T-Pri"), COLUMN_TEXT("Thread Name"), COLUMN_END};
#define COLUMN_EXEC(letter) \
    COLUMN_TIME(letter "Avg"), COLUMN_TIME(letter "Med"), COLUMN_TIME(letter "Min"), COLUMN_TIME(letter "Max"), \
    COLUMN_TIME(letter "StdDev")
static const struct nsc_stats_column columns_exec_sum[] = {
    COLUMN_PLAIN("PID"), COLUMN_PLAIN("TID"), COLUMN_PLAIN("DevId"), COLUMN_PLAIN("Count"), COLUMN_PLAIN("QCount"),
    COLUMN_EXEC("T"), COLUMN_EXEC("A"), COLUMN_EXEC("Q"), COLUMN_EXEC("K"), COLUMN_TEXT("API Name"),
    COLUMN_TEXT("Kernel Name"), COLUMN_END};
static const struct nsc_stats_column columns_exec_trace[] = {
    COLUMN_TIME("API Start"), COLUMN_TIME("API Dur"), COLUMN_TIME("Queue Start"), COLUMN_TIME("Queue Dur"),
    COLUMN_TIME("Kernel Start"), COLUMN_TIME("Kernel Dur"), COLUMN_TIME("Total Dur"), COLUMN_PLAIN("PID"),
    COLUMN_PLAIN("TID"), COLUMN_PLAIN("DevId"), COLUMN_TEXT("API Function"), COLUMN_TEXT("GridXYZ"), COLUMN_TEXT("BlockXYZ"),
    COLUMN_TEXT("Kernel Name"), COLUMN_END};
static const struct nsc_stats_column columns_style_range[] = {
    COLUMN_SUM("Instances"), COLUMN_TEXT("Style"), COLUMN_TEXT("Range"), COLUMN_END};
static const struct nsc_stats_column columns_range[] = {
    COLUMN_SUM("Instances"), COLUMN_TEXT("Range"), COLUMN_END};
static const struct nsc_stats_column columns_pushpop_trace[] = {
    COLUMN_TIME("Start"), COLUMN_TIME("End"), COLUMN_TIME("Duration"), COLUMN_TIME("DurChild"), COLUMN_TIME("DurNonChild"),
    COLUMN_TEXT("Name"), COLUMN_PLAIN("PID"), COLUMN_PLAIN("TID"), COLUMN_PLAIN("Lvl"), COLUMN_PLAIN("NumChild"),
    COLUMN_PLAIN("RangeId"), COLUMN_PLAIN("ParentId"), COLUMN_TEXT("RangeStack"), COLUMN_TEXT("NameTree"), COLUMN_END};
static const struct nsc_stats_column columns_proj_sum[] = {
    COLUMN_TEXT("Range"), COLUMN_TEXT("Style"), COLUMN_TIME("Total Proj Time"), COLUMN_TIME("Total Range Time"),
    COLUMN_PLAIN("Range Instances"), COLUMN_TIME("Proj Avg"), COLUMN_TIME("Proj Med"), COLUMN_TIME("Proj Min"),
    COLUMN_TIME("Proj Max"), COLUMN_TIME("Proj StdDev"), COLUMN_PLAIN("Total GPU Ops"), COLUMN_PLAIN("Avg GPU Ops"),
    COLUMN_PLAIN("Avg Range Lvl"), COLUMN_PLAIN("Avg Num Child"), COLUMN_END};
static const struct nsc_stats_column columns_proj_trace[] = {
    COLUMN_TEXT("Name"), COLUMN_TIME("Projected Start"), COLUMN_TIME("Projected Duration"), COLUMN_TIME("Orig Start"),
    COLUMN_TIME("Orig Duration"), COLUMN_TEXT("Style"), COLUMN_PLAIN("PID"), COLUMN_PLAIN("TID"), COLUMN_PLAIN("NumGPUOps"),
    COLUMN_PLAIN("Lvl"), COLUMN_PLAIN("NumChild"), COLUMN_PLAIN("RangeId"), COLUMN_PLAIN("ParentId"),
    COLUMN_TEXT("RangeStack"), COLUMN_END};
static const struct nsc_stats_column columns_nvtx_kern[] = {
    COLUMN_TEXT("NVTX Range"), COLUMN_TEXT("Style"), COLUMN_PLAIN("PID"), COLUMN_PLAIN("TID"), COLUMN_PLAIN("NVTX Inst"),
    COLUMN_PLAIN("Kern Inst"), COLUMN_TIME("Total Time"), COLUMN_TIMES, COLUMN_TEXT("Kernel Name"), COLUMN_END};
#define COLUMN_PLACE COLUMN_PLAIN("PID"), COLUMN_PLAIN("Device ID"), COLUMN_PLAIN("Context ID")
#define COLUMN_STREAM COLUMN_PLACE, COLUMN_PLAIN("Green Context ID"), COLUMN_PLAIN("Stream ID"), COLUMN_TEXT("API Name")
static const struct nsc_stats_column columns_rule_copy[] = {
    COLUMN_TIME("Duration"), COLUMN_TIME("Start"), COLUMN_TEXT("Src Kind"), COLUMN_TEXT("Dst Kind"), COLUMN_BYTES("Bytes"),
    COLUMN_STREAM, COLUMN_END};
static const struct nsc_stats_column columns_rule_memset[] = {
    COLUMN_TIME("Duration"), COLUMN_TIME("Start"), COLUMN_TEXT("Memory Kind"), COLUMN_BYTES("Bytes"), COLUMN_STREAM,
    COLUMN_END};
static const struct nsc_stats_column columns_rule_sync[] = {
    COLUMN_TIME("Duration"), COLUMN_TIME("Start"), COLUMN_PLAIN("PID"), COLUMN_PLAIN("TID"), COLUMN_TEXT("API Name"),
    COLUMN_END};
static const struct nsc_stats_column columns_rule_gaps[] = {
    COLUMN_PLAIN("Row#"), COLUMN_TIME("Duration"), COLUMN_TIME("Start"), COLUMN_PLACE, COLUMN_END};
static const struct nsc_stats_column columns_rule_use[] = {
    COLUMN_PLAIN("Row#"), {"In-Use", NSC_STATS_PERCENT}, COLUMN_TIME("Duration"), COLUMN_TIME("Start"), COLUMN_PLACE,
    COLUMN_END};
static const struct nsc_stats_column columns_mpi[] = {
    COLUMN_TIME("Start"), COLUMN_TIME("End"), COLUMN_TIME("Duration"), COLUMN_TEXT("Event"), COLUMN_PLAIN("Pid"),
    COLUMN_PLAIN("Tid"), COLUMN_PLAIN("Tag"), COLUMN_PLAIN("Rank"), COLUMN_PLAIN("PeerRank"), COLUMN_PLAIN("RootRank"),
    COLUMN_BYTES("Size"), COLUMN_BYTES("CollSendSize"), COLUMN_BYTES("CollRecvSize"), COLUMN_END};
static const struct nsc_stats_column columns_source[] = {
    COLUMN_SUM("Instances"), COLUMN_TEXT("Source"), COLUMN_TEXT("Name"), COLUMN_END};
static const struct nsc_stats_column columns_message[] = {
    COLUMN_PLAIN("Total Message Volume (B)"), COLUMN_PLAIN("Instances"), COLUMN_PLAIN("Avg (B)"), COLUMN_PLAIN("Med (B)"),
    COLUMN_PLAIN("Min (B)"), COLUMN_PLAIN("Max (B)"), COLUMN_PLAIN("StdDev (B)"), COLUMN_TEXT("Source"),
    COLUMN_TEXT("Name"), COLUMN_END};
static const struct nsc_stats_column columns_um[] = {
    COLUMN_TEXT("Virtual Address"), COLUMN_BYTES("HtoD Migration size"), COLUMN_BYTES("DtoH Migration size"),
    COLUMN_PLAIN("CPU Page Faults"), COLUMN_PLAIN(" GPU Page Faults"), {"Migration Throughput", NSC_STATS_RATE},
    COLUMN_END};
static const struct nsc_stats_column columns_um_cpu_faults[] = {
    COLUMN_PLAIN("CPU Page Faults"), COLUMN_TEXT("CPU Instruction Address"), COLUMN_END};
static const struct nsc_stats_column columns_um_total[] = {
    COLUMN_BYTES("Total HtoD Migration Size"), COLUMN_BYTES("Total DtoH Migration Size"),
    COLUMN_PLAIN("Total CPU Page Faults"), COLUMN_PLAIN("Total GPU PageFaults"), COLUMN_TEXT("Minimum Virtual Address"),
    COLUMN_TEXT("Maximum Virtual Address"), COLUMN_END};
/* clang-format on */

#endif
