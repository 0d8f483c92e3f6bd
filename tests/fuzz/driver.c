/*
 * Runs a fuzz target without libFuzzer, so that every build replays the corpora: first the files,
 * then mutations of them: driver [-runs=N] FILE|FOLDER...; the seed is NSC_SEED, else 1.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct inputs {
    uint8_t **data;
    size_t *size;
    size_t n;
};

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void add_file(struct inputs *inputs, const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = -1;

    if (!file)
        return;
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    rewind(file);
    if (size >= 0) {
        inputs->data = realloc(inputs->data, (inputs->n + 1) * sizeof *inputs->data);
        inputs->size = realloc(inputs->size, (inputs->n + 1) * sizeof *inputs->size);
        inputs->data[inputs->n] = malloc((size_t)size + 1);
        inputs->size[inputs->n] = fread(inputs->data[inputs->n], 1, (size_t)size, file);
        inputs->n++;
    }
    fclose(file);
}

static void add_path(struct inputs *inputs, const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;

    if (!folder) {
        add_file(inputs, path);
        return;
    }
    while ((entry = readdir(folder)) != NULL) {
        char name[4096];
        struct stat st;

        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (stat(name, &st) == 0 && S_ISREG(st.st_mode))
            add_file(inputs, name);
    }
    closedir(folder);
}

/* Copies one input, changes up to 16 bytes, and sometimes cuts it short. */
static void run_mutation(const struct inputs *inputs, uint64_t *state)
{
    size_t which = (size_t)(next_random(state) % inputs->n);
    size_t size = inputs->size[which];
    uint8_t *copy = malloc(size + 1);

    memcpy(copy, inputs->data[which], size);
    for (unsigned i = (unsigned)(next_random(state) % 16) + 1; i > 0 && size; i--) {
        uint64_t random = next_random(state);
        size_t at = random % 4 ? (size_t)(random >> 8) % size
                               : (size_t)(random >> 8) % (size < 200 ? size : 200);

        copy[at] = (uint8_t)(random >> 40);
    }
    if (next_random(state) % 8 == 0)
        size = (size_t)(next_random(state) % (size + 1));
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

int main(int argc, char **argv)
{
    struct inputs inputs = {0};
    uint64_t runs = 0;
    const char *text = getenv("NSC_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : 1;

    printf("seed %llu (NSC_SEED replays it)\n", (unsigned long long)seed);
    fflush(stdout);
    seed += !seed; /* a shift register never leaves 0 */
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-runs=", 6) == 0)
            runs = strtoull(argv[i] + 6, NULL, 10);
        else
            add_path(&inputs, argv[i]);
    }
    for (size_t i = 0; i < inputs.n; i++)
        LLVMFuzzerTestOneInput(inputs.data[i], inputs.size[i]);
    for (uint64_t i = 0; i < runs && inputs.n; i++)
        run_mutation(&inputs, &seed);
    for (size_t i = 0; i < inputs.n; i++)
        free(inputs.data[i]);
    free(inputs.data);
    free(inputs.size);
    printf("%zu inputs replayed, %llu mutations run\n", inputs.n, (unsigned long long)runs);
    return inputs.n ? 0 : 1;
}
