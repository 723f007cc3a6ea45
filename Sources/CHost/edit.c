#define _GNU_SOURCE
#include "chost_edit.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

// The host does not link libedit, which brings libtinfo and libbsd: 'version' would load them. The declarations here
// are those of <histedit.h> of libedit 3.1-20221030, for its wide characters.

typedef struct editline EditLine;

typedef struct {
  const wchar_t *buffer;
  const wchar_t *cursor;
  const wchar_t *lastchar;
} LineInfoW;

typedef struct {
  int num;
  const wchar_t *str;
} HistEventW;

enum {
  EL_EDITOR = 2,
  EL_SIGNAL = 3,
  EL_BIND = 4,
  EL_SETTY = 8,
  EL_ADDFN = 9,
  EL_HIST = 10,
  EL_GETCFN = 13,
  EL_CLIENTDATA = 14,
  EL_PREP_TERM = 16,
  EL_PROMPT_ESC = 21,
};

/// A character beside those of `chost_editor_key`.
enum { key_end_of_line = 0x82 };

enum { CC_EOF = 2, CC_REFRESH = 4, CC_ERROR = 6, CC_REDISPLAY = 8 };

_Static_assert(sizeof(wchar_t) == sizeof(uint32_t), "wide characters are Unicode scalars");

static struct {
  EditLine *(*init)(const char *, FILE *, FILE *, FILE *);
  void (*end)(EditLine *);
  int (*set)(EditLine *, int, ...);
  int (*wset)(EditLine *, int, ...);
  int (*wget)(EditLine *, int, ...);
  const wchar_t *(*wgets)(EditLine *, int *);
  const LineInfoW *(*wline)(EditLine *);
  int (*winsertstr)(EditLine *, const wchar_t *);
  void (*deletestr)(EditLine *, int);
  int (*source)(EditLine *, const char *);
  void (*resize)(EditLine *);
} el;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_open;

static void open_library(void) {
  void *library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name) ((*(void **)&el.name = dlsym(library, "el_" #name)) != NULL)
  is_open = FIND(init) && FIND(end) && FIND(set) && FIND(wset) && FIND(wget) && FIND(wgets) && FIND(wline) &&
    FIND(winsertstr) && FIND(deletestr) && FIND(source) && FIND(resize);
#undef FIND
}

bool chost_editor_is_available(void) {
  pthread_once(&once, open_library);
  return is_open;
}

struct chost_editor {
  EditLine *line;
  chost_editor_client client;
  FILE *input, *output;
  /// The encoding of the terminal, for the thread that reads: the program itself keeps the C locale.
  locale_t locale;
  /// True between the two keys that an interrupt takes.
  bool is_interrupted;
  char prompt[256];
};

static chost_editor *editor_of(EditLine *line) {
  void *editor = NULL;
  el.wget(line, EL_CLIENTDATA, &editor);
  return editor;
}

static int next(EditLine *line, wchar_t *character) {
  chost_editor *editor = editor_of(line);
  uint32_t found = editor->is_interrupted ? chost_key_interrupt : editor->client.next(editor->client.context);
  if (found == chost_key_interrupt) {
    // First the cursor moves to the end, so that the next prompt is below the whole line.
    editor->is_interrupted = !editor->is_interrupted;
    if (editor->is_interrupted) found = key_end_of_line;
  }
  *character = (wchar_t)found;
  return found != 0;
}

static unsigned char code(chost_edit_effect effect) {
  switch (effect) {
    case chost_edit_changed: return CC_REFRESH;
    case chost_edit_written_below: return CC_REDISPLAY;
    case chost_edit_refused: break;
  }
  return CC_ERROR;
}

static unsigned char complete(EditLine *line, int character) {
  (void)character;
  chost_editor *editor = editor_of(line);
  return code(editor->client.complete(editor->client.context));
}

static unsigned char paste(EditLine *line, int character) {
  (void)character;
  chost_editor *editor = editor_of(line);
  return code(editor->client.paste(editor->client.context));
}

static unsigned char interrupt(EditLine *line, int character) {
  (void)character;
  chost_editor *editor = editor_of(line);
  editor->client.interrupt(editor->client.context);
  return CC_EOF;
}

static int history(void *reference, HistEventW *event, int move, ...) {
  chost_editor *editor = reference;
  switch (move) {
    case chost_history_newest:
    case chost_history_oldest:
    case chost_history_newer:
    case chost_history_older:
    case chost_history_present: {
      const uint32_t *entry = editor->client.history(editor->client.context, (chost_history_move)move);
      event->num = 1;
      event->str = (const wchar_t *)entry;
      return entry ? 0 : -1;
    }
    default:
      // Entries have no numbers, and only the client adds any.
      return -1;
  }
}

static char *prompt(EditLine *line) { return editor_of(line)->prompt; }

static FILE *stream(int descriptor, const char *mode) {
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  FILE *file = copy < 0 ? NULL : fdopen(copy, mode);
  if (copy >= 0 && !file) close(copy);
  return file;
}

/// The encoding of the environment if it is UTF-8; otherwise UTF-8 all the same, as everywhere in the program.
static locale_t make_locale(void) {
  locale_t own = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
  if (own != (locale_t)0 && strcmp(nl_langinfo_l(CODESET, own), "UTF-8") == 0) return own;
  if (own != (locale_t)0) freelocale(own);
  return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/// Binds a key in both maps: the second is that of vi's commands.
static void bind(EditLine *line, const char *key, const char *function) {
  el.set(line, EL_BIND, key, function, NULL);
  el.set(line, EL_BIND, "-a", key, function, NULL);
}

static void set_up(chost_editor *editor) {
  EditLine *line = editor->line;
  el.wset(line, EL_CLIENTDATA, editor);
  el.wset(line, EL_SIGNAL, 0);
  el.wset(line, EL_HIST, history, editor);
  el.set(line, EL_EDITOR, "emacs");
  // The user's keys, also those of vi.
  el.source(line, NULL);
  el.wset(line, EL_GETCFN, next);
  el.set(line, EL_PROMPT_ESC, prompt, '\1');
  el.set(line, EL_ADDFN, "workbench-complete", "Complete a word", complete);
  el.set(line, EL_ADDFN, "workbench-paste", "Insert pasted text", paste);
  el.set(line, EL_ADDFN, "workbench-interrupt", "Give up the line", interrupt);
  el.set(line, EL_BIND, "^I", "workbench-complete", NULL);
  el.set(line, EL_BIND, "^R", "em-inc-search-prev", NULL);
  bind(line, "\\200", "workbench-paste");
  bind(line, "\\201", "workbench-interrupt");
  bind(line, "\\202", "ed-move-to-end");
  // Ctrl-C, Ctrl-Z and Ctrl-\ are keys while a line is edited.
  el.set(line, EL_SETTY, "-d", "-isig", NULL);
}

chost_editor *chost_editor_make(int input, int output, const chost_editor_client *client) {
  if (!chost_editor_is_available()) return NULL;
  chost_editor *editor = calloc(1, sizeof *editor);
  if (!editor) return NULL;
  editor->client = *client;
  editor->locale = make_locale();
  editor->input = stream(input, "r");
  editor->output = stream(output, "w");
  locale_t before = editor->locale ? uselocale(editor->locale) : (locale_t)0;
  if (editor->input && editor->output)
    editor->line = el.init("workbench", editor->input, editor->output, editor->output);
  if (editor->line) set_up(editor);
  if (before) uselocale(before);
  if (editor->line) return editor;
  chost_editor_release(editor);
  return NULL;
}

const uint32_t *chost_editor_read(chost_editor *editor, const char *prompt, size_t *count) {
  locale_t before = editor->locale ? uselocale(editor->locale) : (locale_t)0;
  snprintf(editor->prompt, sizeof editor->prompt, "%s", prompt);
  // Libedit would do this after it wrote the prompt; a key typed in between would go to the terminal's line editing.
  el.set(editor->line, EL_PREP_TERM, 1);
  el.resize(editor->line);
  int length = 0;
  const wchar_t *text = el.wgets(editor->line, &length);
  fflush(editor->output);
  if (before) uselocale(before);
  if (!text || length <= 0) return NULL;
  if (text[length - 1] == L'\n' || text[length - 1] == L'\r') length--;
  *count = (size_t)length;
  return (const uint32_t *)text;
}

const uint32_t *chost_editor_line(chost_editor *editor, size_t *count, size_t *cursor) {
  const LineInfoW *info = el.wline(editor->line);
  *count = (size_t)(info->lastchar - info->buffer);
  *cursor = (size_t)(info->cursor - info->buffer);
  return (const uint32_t *)info->buffer;
}

bool chost_editor_insert(chost_editor *editor, const uint32_t *text) {
  return el.winsertstr(editor->line, (const wchar_t *)text) == 0;
}

void chost_editor_delete(chost_editor *editor, size_t count) { el.deletestr(editor->line, (int)count); }

void chost_editor_resize(chost_editor *editor) { el.resize(editor->line); }

void chost_editor_release(chost_editor *editor) {
  if (editor->line) el.end(editor->line);
  if (editor->input) fclose(editor->input);
  if (editor->output) fclose(editor->output);
  if (editor->locale) freelocale(editor->locale);
  free(editor);
}
