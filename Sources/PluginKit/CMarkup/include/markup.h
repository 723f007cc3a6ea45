#ifndef WORKBENCH_MARKUP_H
#define WORKBENCH_MARKUP_H

// The functions of libxml2 that PluginXML uses. It is opened at first use: it loads a large library of character sets.

#include <stddef.h>
#include <stdint.h>

/// A parser that is fed in pieces.
typedef struct markup_reader markup_reader;

/// The receiver of events. Texts are UTF-8 and valid only within the call.
typedef struct {
  void *context;
  /// Receives the start of an XML element: its local name, prefix and namespace (NULL for none), pairs of prefix and
  /// namespace declared here, and five pointers per attribute: local name, prefix, namespace, value, end of value.
  void (*begin)(
      void *context, const char *name, const char *prefix, const char *space, int space_count, const char **spaces,
      int attribute_count, const char **attributes);
  void (*end)(void *context, const char *name, const char *prefix, const char *space);
  /// Receives the start of an HTML element: its name, and pairs of name and value (NULL for none) up to NULL.
  void (*begin_html)(void *context, const char *name, const char **attributes);
  void (*end_html)(void *context, const char *name);
  void (*text)(void *context, const char *bytes, size_t count);
  /// Receives the name of an entity that is declared or used, other than the five of XML itself.
  void (*entity)(void *context, const char *name);
} markup_receiver;

/// A problem in a document.
typedef struct {
  /// 0 if there is none.
  int code;
  int line;
  int column;
  char message[256];
} markup_problem;

/// Opens libxml2, once.
///
/// - Returns: NULL, or the reason why it cannot be used.
const char *markup_open(void);

/// Creates a reader of XML; NULL without memory.
markup_reader *markup_create_xml(markup_receiver receiver);

/// Creates a reader of HTML, which accepts anything.
///
/// - Parameter encoding: the name of the character set if it is known from elsewhere, or NULL.
markup_reader *markup_create_html(markup_receiver receiver, const char *encoding);

/// Reads a piece; the last one may be empty.
markup_problem markup_push(markup_reader *reader, const uint8_t *bytes, size_t count, int is_last);

/// Ends reading from inside an event.
void markup_stop(markup_reader *reader);

/// Returns the current line, from 1.
int markup_line(const markup_reader *reader);

/// Returns the current column, from 1.
int markup_column(const markup_reader *reader);

void markup_free(markup_reader *reader);

#endif
