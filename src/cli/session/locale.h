/*
 * The locale of the session.
 */
#ifndef NSC_CLI_LOCALE_H
#define NSC_CLI_LOCALE_H

/* Sets the user's character type; C.UTF-8 where the user's locale is not installed and names UTF-8.
 */
void nsc_session_locale_set(void);

#endif
