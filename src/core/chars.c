/*
 * Decodes, encodes, classifies and folds single characters.
 */
#include "core/chars.h"

#include <stdbool.h>
#include <unicase.h>
#include <unictype.h>
#include <uniwidth.h>

static bool is_tail(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

size_t nsc_char_decode(uint32_t *c, const char *bytes, size_t n)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)bytes[0];
    size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    uint32_t value = first;

    if (length == 1) {
        *c = first;
        return 1;
    }
    *c = NSC_CHAR_BAD;
    if (length == 0 || first > 0xF4 || n < length)
        return 0;
    value &= 0x7Fu >> length;
    for (size_t i = 1; i < length; i++) {
        if (!is_tail(bytes[i]))
            return 0;
        value = value << 6 | ((unsigned char)bytes[i] & 0x3Fu);
    }
    if (value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return 0;
    *c = value;
    return length;
}

size_t nsc_char_encode(char out[4], uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/*
 * Characters that would show nothing, move their neighbours, or have different widths on different
 * terminals: separators, formats (bidi, joiners, tags), private and unassigned ones, skin tones
 * (some terminals merge them into the emoji before), and octants, which C libraries do not know
 * yet.
 */
static bool must_be_code(uint32_t c)
{
    const uint32_t unsafe = UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Cf | UC_CATEGORY_MASK_Cs |
                            UC_CATEGORY_MASK_Co | UC_CATEGORY_MASK_Cn | UC_CATEGORY_MASK_Zl |
                            UC_CATEGORY_MASK_Zp;

    return uc_is_general_category_withtable(c, unsafe) ||
           uc_is_property_default_ignorable_code_point(c) || (c >= 0x1F3FB && c <= 0x1F3FF) ||
           (c >= 0x1CC00 && c < 0x1CF00);
}

enum nsc_char_class nsc_char_class(uint32_t c)
{
    int width = 0;

    if (c >= 0x20 && c < 0x7F)
        return NSC_CHAR_NARROW;
    if (c < 0x20 || c == 0x7F)
        return NSC_CHAR_PICTURE;
    if (must_be_code(c))
        return NSC_CHAR_CODE;
    if (uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Mn | UC_CATEGORY_MASK_Me))
        return NSC_CHAR_MARK;
    width = uc_width(c, "UTF-8");
    if (width < 0 || width > 2)
        return NSC_CHAR_CODE;
    return width == 0 ? NSC_CHAR_MARK : width == 1 ? NSC_CHAR_NARROW : NSC_CHAR_WIDE;
}

/* To upper case and back to lower case, so that letters with two small forms (sigma) are equal. */
uint32_t nsc_char_fold(uint32_t c)
{
    if (c < 0x80)
        return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    return uc_tolower(uc_toupper(c));
}
