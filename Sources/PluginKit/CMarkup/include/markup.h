#ifndef WORKBENCH_MARKUP_H
#define WORKBENCH_MARKUP_H

// What PluginXML uses of libxml2, which is opened at the first use: it brings a large library of character sets along.

#include <stddef.h>
#include <stdint.h>

/// A parser that is fed piece by piece.
typedef struct markup_reader markup_reader;

/// What takes the events. Texts are UTF-8 and good only within the call.
typedef struct {
  void *context;
  /// Takes the start of an XML element: its local name, prefix and namespace (NULL for none), pairs of prefix and
  /// namespace declared here, and five pointers an attribute: local name, prefix, namespace, value, end of value.
  void (*begin)(
      void *context, const char *name, const char *prefix, const char *space, int space_count, const char **spaces,
      int attribute_count, const char **attributes);
  void (*end)(void *context, const char *name, const char *prefix, const char *space);
  /// Takes the start of an HTML element: its name, and pairs of name and value (NULL for none) up to NULL.
  void (*begin_html)(void *context, const char *name, const char **attributes);
  void (*end_html)(void *context, const char *name);
  void (*text)(void *context, const char *bytes, size_t count);
  /// Takes the name of an entity that is declared or used; the five of XML itself are none.
  void (*entity)(void *context, const char *name);
} markup_receiver;

/// What is wrong with a document.
typedef struct {
  /// 0 if nothing is.
  int code;
  int line;
  int column;
  char message[256];
} markup_problem;

/// Opens libxml2, once.
///
/// - Returns: NULL, or why it cannot be used.
const char *markup_open(void);

/// Makes a reader of XML; NULL without memory.
markup_reader *markup_create_xml(markup_receiver receiver);

/// Makes a reader of HTML, which takes anything.
///
/// - Parameter encoding: the name of the character set if it is known from elsewhere, or NULL.
markup_reader *markup_create_html(markup_receiver receiver, const char *encoding);

/// Reads a piece; the last one may be empty.
markup_problem markup_push(markup_reader *reader, const uint8_t *bytes, size_t count, int is_last);

/// Ends reading from inside an event.
void markup_stop(markup_reader *reader);

/// The line that is being read, from 1.
int markup_line(const markup_reader *reader);

/// The place in the line that is being read, from 1.
int markup_column(const markup_reader *reader);

void markup_free(markup_reader *reader);

#endif
