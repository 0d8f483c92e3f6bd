/* Finds, orders and reads the documents of a merge. */
#include "fleet/documents.h"

#include "core/paths.h"
#include "core/strpool.h"
#include "core/text.h"
#include "fleet/sketch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DOCUMENT_BYTES ((size_t)256 << 20) /* longer reports are refused */

void nsc_documents_fail(struct nsc_documents *documents, const char *path,
                        const struct nsc_error *why)
{
    struct nsc_error error = {0};

    if (strstr(why->text, path))
        error = *why;
    else
        (void)nsc_fail(&error, why->status, "%s: %s", path, why->text);
    documents->failed++;
    documents->complain(documents->context, &error);
}

static char *copy_member(const struct nsc_json_tree *tree, uint32_t node, const char *key)
{
    struct nsc_text text = nsc_json_member_text(tree, node, key);

    return nsc_xcopy(text.bytes, text.n);
}

/* Adds a document that lies at a place of a file, or, with path NULL, in memory. */
static void add(struct nsc_documents *documents, const char *path, size_t at, struct nsc_text text)
{
    struct nsc_document document = {.at = at,
                                    .n = text.n,
                                    .number = -1,
                                    .hash = nsc_hash_bytes(text.bytes, text.n),
                                    .is_sketch = nsc_text_begins(text, NSC_SKETCH_BEGIN),
                                    .given = (uint32_t)documents->list.n};
    struct nsc_error error = {0};
    uint32_t identity;

    if (nsc_json_parse(&documents->tree, text, &error) != NSC_OK) {
        nsc_documents_fail(documents, path ? path : "standard input", &error);
        return;
    }
    identity = nsc_json_find(&documents->tree, 0, "identity");
    (void)nsc_json_get_int(&document.number, &documents->tree,
                           nsc_json_find(&documents->tree, identity, "rank"));
    (void)nsc_json_get_int(&document.utc_start, &documents->tree,
                           nsc_json_find(&documents->tree, identity, "utc_start_ns"));
    document.host = copy_member(&documents->tree, identity, "host");
    document.file = document.is_sketch ? copy_member(&documents->tree, identity, "file")
                                       : nsc_xcopy(path ? path : "-", strlen(path ? path : "-"));
    if (path)
        document.path = nsc_xcopy(path, strlen(path));
    else
        document.bytes = nsc_xcopy(text.bytes, text.n);
    documents->n_sketches += document.is_sketch;
    *NSC_VEC_ADD(&documents->list) = document;
}

/* Adds the sketches of text, one a line; at: its place in the file. */
static void add_lines(struct nsc_documents *documents, const char *path, struct nsc_text text)
{
    for (uint32_t at = 0; at < text.n;) {
        const char *end = memchr(text.bytes + at, '\n', text.n - at);
        uint32_t n = end ? (uint32_t)(end - text.bytes) - at : text.n - at;

        if (n)
            add(documents, path, at, (struct nsc_text){text.bytes + at, n});
        at += n + 1;
    }
}

static void take_file(struct nsc_documents *documents, const char *path)
{
    struct nsc_buf text = NSC_BUF_INIT(DOCUMENT_BYTES + 1);
    struct nsc_error error = {0};

    if (nsc_file_read(&text, path, DOCUMENT_BYTES, &error) != NSC_OK)
        nsc_documents_fail(documents, path, &error);
    else if (nsc_text_begins(nsc_text_of_buf(&text), NSC_SKETCH_BEGIN))
        add_lines(documents, path, nsc_text_of_buf(&text));
    else
        add(documents, path, 0, nsc_text_of_buf(&text));
    nsc_buf_fini(&text);
}

/* ---- folders and standard input ---- */

static int is_json(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && nsc_text_ends(nsc_text_from(entry->d_name), ".json");
}

bool nsc_documents_are(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    bool found = !folder && nsc_sketch_is(path);

    while (folder && !found && (entry = readdir(folder))) {
        struct nsc_buf name = NSC_BUF_INIT(SIZE_MAX);

        nsc_buf_printf(&name, "%s/%s", path, entry->d_name);
        found = is_json(entry) && nsc_sketch_is(name.bytes);
        nsc_buf_fini(&name);
    }
    if (folder)
        (void)closedir(folder);
    return found;
}

static enum nsc_status take_folder(struct nsc_documents *documents, const char *path,
                                   struct nsc_error *error)
{
    struct dirent **entries = NULL;
    int n = scandir(path, &entries, is_json, alphasort);

    if (n < 0)
        return nsc_fail(error, NSC_EIO, "%s: %s", path, strerror(errno));
    for (int i = 0; i < n; i++) {
        struct nsc_buf name = NSC_BUF_INIT(SIZE_MAX);

        nsc_buf_printf(&name, "%s/%s", path, entries[i]->d_name);
        take_file(documents, name.bytes);
        nsc_buf_fini(&name);
        free(entries[i]);
    }
    free(entries);
    return NSC_OK;
}

/* Reads lines: names of files or, if documents may come, those that begin one. */
static void take_lines(struct nsc_documents *documents, FILE *file, bool may_be_documents)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n = 0;

    while ((n = getline(&line, &room, file)) > 0) {
        if (line[n - 1] == '\n')
            line[--n] = '\0';
        if (may_be_documents && line[0] == '{')
            add(documents, NULL, 0, (struct nsc_text){line, (uint32_t)n});
        else if (line[0])
            take_file(documents, line);
    }
    free(line);
}

enum nsc_status nsc_documents_take(struct nsc_documents *documents, const char *path,
                                   struct nsc_error *error)
{
    struct stat info;

    if (strcmp(path, "-") == 0)
        take_lines(documents, stdin, true);
    else if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return take_folder(documents, path, error);
    else
        take_file(documents, path);
    return NSC_OK;
}

enum nsc_status nsc_documents_take_list(struct nsc_documents *documents, const char *path,
                                        struct nsc_error *error)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");

    if (!file)
        return nsc_fail(error, NSC_EIO, "--files-from %s: %s", path, strerror(errno));
    take_lines(documents, file, false);
    if (file != stdin)
        (void)fclose(file);
    return NSC_OK;
}

/* ---- order ---- */

/* By rank: number (none, -1, last), node, name. */
NSC_COMPARE(compare_ranks, struct nsc_document,
            NSC_BY(NSC_ORDER((uint64_t)x->number, (uint64_t)y->number)) ||
                NSC_BY(strcmp(x->host, y->host)) || NSC_BY(strcmp(x->file, y->file)))

/* Of two recordings of a rank the later one is first: it stays. */
NSC_COMPARE(compare, struct nsc_document,
            NSC_MOST(is_sketch) || NSC_BY(compare_ranks(x, y)) || NSC_MOST(utc_start) ||
                NSC_LEAST(hash) || NSC_LEAST(given))

static void free_document(struct nsc_document *document)
{
    free(document->path);
    free(document->bytes);
    free(document->host);
    free(document->file);
}

/* Whether both are sketches of one rank: of one recording, or of one name on one node. */
static bool is_twice(const struct nsc_document *x, const struct nsc_document *y)
{
    return x->is_sketch && y->is_sketch && compare_ranks(x, y) == 0 &&
           (x->utc_start == y->utc_start || x->host[0]);
}

void nsc_documents_sort(struct nsc_documents *documents)
{
    size_t n = 0;

    if (documents->list.n)
        qsort(documents->list.at, documents->list.n, sizeof *documents->list.at, compare);
    for (size_t i = 0; i < documents->list.n; i++) {
        struct nsc_document *document = &documents->list.at[i];

        if (n > 0 && is_twice(&documents->list.at[n - 1], document)) {
            struct nsc_buf line = NSC_BUF_INIT(SIZE_MAX);
            bool is_same = documents->list.at[n - 1].hash == document->hash;

            nsc_buf_printf(&line, "%s is there twice%s; it counts once.", document->file,
                           is_same ? "" : ", differently");
            *NSC_VEC_ADD(&documents->twice) = line.bytes;
            documents->n_sketches--;
            free_document(document);
        } else {
            documents->list.at[n++] = *document;
        }
    }
    documents->list.n = n;
}

/* ---- the second pass ---- */

static enum nsc_status read_part(struct nsc_buf *out, const struct nsc_document *document,
                                 struct nsc_error *error)
{
    FILE *file = fopen(document->path, "re");
    char *bytes = nsc_buf_reserve(out, document->n);
    bool is_read = file && bytes && fseeko(file, (off_t)document->at, SEEK_SET) == 0 &&
                   fread(bytes, 1, document->n, file) == document->n &&
                   nsc_hash_bytes(bytes, document->n) == document->hash;

    if (file)
        (void)fclose(file);
    return is_read ? NSC_OK
                   : nsc_fail(error, NSC_EIO, "%s: changed while it was read", document->path);
}

enum nsc_status nsc_documents_read(struct nsc_documents *documents, size_t i, bool parse,
                                   struct nsc_error *error)
{
    const struct nsc_document *document = &documents->list.at[i];
    enum nsc_status status = NSC_OK;

    if (documents->text.limit == 0)
        documents->text = (struct nsc_buf)NSC_BUF_INIT(DOCUMENT_BYTES + 1);
    documents->text.n = 0;
    if (document->path)
        status = read_part(&documents->text, document, error);
    else
        nsc_buf_add(&documents->text, document->bytes, document->n);
    if (status == NSC_OK && parse)
        status = nsc_json_parse(&documents->tree, nsc_text_of_buf(&documents->text), error);
    return status;
}

void nsc_documents_fini(struct nsc_documents *documents)
{
    NSC_VEC_FINI_EACH(&documents->list, free_document);
    NSC_VEC_FINI_EACH(&documents->twice, nsc_vec_free_text);
    nsc_json_fini(&documents->tree);
    nsc_buf_fini(&documents->text);
}
