#ifndef WORKBENCH_CHOST_EDIT_H
#define WORKBENCH_CHOST_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A line editor: an `EditLine` of libedit, which is opened when the first one is made.
///
/// All characters are Unicode scalars. An editor is used by one thread at a time.
typedef struct chost_editor chost_editor;

/// Characters that a client returns in place of a key. Terminals send none of them: they are control characters of
/// Unicode, which the client must not pass on.
typedef enum {
  /// Text was pasted; the editor calls `paste`.
  chost_key_paste = 0x80,
  /// The line is given up; the editor calls `interrupt`, and reading ends without a line.
  chost_key_interrupt = 0x81,
} chost_editor_key;

/// A movement in the history of a client; the values are those of libedit.
typedef enum {
  /// To the newest entry.
  chost_history_newest = 3,
  /// To the oldest entry.
  chost_history_oldest = 4,
  /// To the entry after the present one.
  chost_history_newer = 5,
  /// To the entry before the present one.
  chost_history_older = 6,
  /// Stay at the present entry.
  chost_history_present = 8,
} chost_history_move;

/// The effect of a client's function on the display.
typedef enum {
  /// Nothing changed; the terminal beeps.
  chost_edit_refused = 0,
  /// The line changed.
  chost_edit_changed = 1,
  /// Something was written below the line, which is drawn again with its prompt.
  chost_edit_written_below = 2,
} chost_edit_effect;

/// The functions that an editor calls while it reads a line, on the thread that reads.
typedef struct {
  void *context;
  /// Returns the next character, or a `chost_editor_key`; waits for it. 0 at the end of the input.
  uint32_t (*next)(void *context);
  /// Completes the word at the cursor.
  chost_edit_effect (*complete)(void *context);
  /// Inserts pasted text.
  chost_edit_effect (*paste)(void *context);
  /// Notes that the line was given up.
  void (*interrupt)(void *context);
  /// Returns an entry of the history, ending with 0, valid until the next call; null if there is none.
  const uint32_t *(*history)(void *context, chost_history_move move);
} chost_editor_client;

/// Returns true if libedit can be used; it is opened at the first call.
bool chost_editor_is_available(void);

/// Creates an editor on a terminal; reads the user's `.editrc`.
///
/// \param input, output descriptors of the terminal, which stay the caller's.
/// \returns null if libedit cannot be used.
chost_editor *chost_editor_make(int input, int output, const chost_editor_client *client);

/// Reads a line; the terminal's line settings are put back afterwards.
///
/// \param prompt ASCII; escape sequences stand between two bytes of value 1.
/// \param count the number of characters of the line, without its end.
/// \returns the line, valid until the next call; null if the line was given up, and at the end of the input.
const uint32_t *chost_editor_read(chost_editor *editor, const char *prompt, size_t *count);

/// Returns the line being edited, which does not end with 0. Only while a client's function runs.
///
/// \param cursor the number of characters before the cursor.
const uint32_t *chost_editor_line(chost_editor *editor, size_t *count, size_t *cursor);

/// Inserts text, ending with 0, at the cursor. Only in a client's function `complete` or `paste`.
bool chost_editor_insert(chost_editor *editor, const uint32_t *text);

/// Deletes characters before the cursor. Only in a client's function `complete` or `paste`.
void chost_editor_delete(chost_editor *editor, size_t count);

/// Adapts the editor to the present size of the terminal.
void chost_editor_resize(chost_editor *editor);

/// Releases an editor.
void chost_editor_release(chost_editor *editor);

#endif
