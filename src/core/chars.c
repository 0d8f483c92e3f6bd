/*
 * Decodes, encodes, classifies and folds single characters.
 */
#include "core/chars.h"

#include <stdbool.h>
#include <unicase.h>
#include <unictype.h>
#include <unistr.h>
#include <uniwidth.h>

size_t nsc_char_decode(uint32_t *c, const char *bytes, size_t n)
{
    int length = 1;

    *c = (unsigned char)bytes[0];
    if (*c >= 0x80)
        length = u8_mbtoucr(c, (const uint8_t *)bytes, n);
    if (length > 0)
        return (size_t)length;
    *c = NSC_CHAR_BAD;
    return 0;
}

size_t nsc_char_encode(char out[4], uint32_t c)
{
    return (size_t)u8_uctomb((uint8_t *)out, c, 4);
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
