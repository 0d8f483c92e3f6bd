/* Any bytes as a theme: reading is harmless, and every cell has colours. */
#include "view/kit/theme.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nsc_theme theme;
    struct nsc_text text = {(const char *)data, (uint32_t)size};

    nsc_theme_parse(&theme, text, NULL, NULL);
    for (unsigned role = 0; role < 256; role++)
        for (unsigned shade = 0; shade < 256; shade += 5) {
            struct nsc_style style = nsc_theme_style(&theme, (uint8_t)role, (uint8_t)shade);

            assert(style.fg <= 0xffffff || style.fg == NSC_COLOR_DEFAULT);
            assert(style.bg <= 0xffffff || style.bg == NSC_COLOR_DEFAULT);
        }
    return 0;
}
