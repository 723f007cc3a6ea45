#include "markup.h"

#include "opening.h"

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  void (*init_parser)(void);
  xmlParserCtxtPtr (*create_xml)(xmlSAXHandlerPtr, void *, const char *, int, const char *);
  int (*use_xml_options)(xmlParserCtxtPtr, int);
  int (*parse_xml)(xmlParserCtxtPtr, const char *, int, int);
  void (*free_xml)(xmlParserCtxtPtr);
  htmlParserCtxtPtr (*create_html)(htmlSAXHandlerPtr, void *, const char *, int, const char *, xmlCharEncoding);
  int (*use_html_options)(htmlParserCtxtPtr, int);
  int (*parse_html)(htmlParserCtxtPtr, const char *, int, int);
  void (*free_html)(htmlParserCtxtPtr);
  void (*stop)(xmlParserCtxtPtr);
  xmlErrorPtr (*last_error)(void *);
  xmlCharEncoding (*encoding)(const char *);
} xml;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static opened_library library;

static void *find(const char *name) { return opened_library_find(&library, name); }

static void open_library(void) {
  if (!opened_library_open(&library, "libxml2.so.2")) return;
  xml.init_parser = find("xmlInitParser");
  xml.create_xml = find("xmlCreatePushParserCtxt");
  xml.use_xml_options = find("xmlCtxtUseOptions");
  xml.parse_xml = find("xmlParseChunk");
  xml.free_xml = find("xmlFreeParserCtxt");
  xml.create_html = find("htmlCreatePushParserCtxt");
  xml.use_html_options = find("htmlCtxtUseOptions");
  xml.parse_html = find("htmlParseChunk");
  xml.free_html = find("htmlFreeParserCtxt");
  xml.stop = find("xmlStopParser");
  xml.last_error = find("xmlCtxtGetLastError");
  xml.encoding = find("xmlParseCharEncoding");
  if (!library.problem[0]) xml.init_parser();
}

const char *markup_open(void) {
  pthread_once(&once, open_library);
  return library.problem[0] ? library.problem : NULL;
}

struct markup_reader {
  markup_receiver receiver;
  xmlParserCtxtPtr parser;
  int is_html;
  int is_stopped;
  int has_begun;
};

static void begin(
    void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *space, int space_count,
    const xmlChar **spaces, int attribute_count, int defaulted, const xmlChar **attributes) {
  (void)defaulted;
  markup_receiver *to = &((markup_reader *)data)->receiver;
  to->begin(
      to->context, (const char *)name, (const char *)prefix, (const char *)space, space_count, (const char **)spaces,
      attribute_count, (const char **)attributes);
}

static void end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *space) {
  markup_receiver *to = &((markup_reader *)data)->receiver;
  to->end(to->context, (const char *)name, (const char *)prefix, (const char *)space);
}

static void begin_html(void *data, const xmlChar *name, const xmlChar **attributes) {
  markup_receiver *to = &((markup_reader *)data)->receiver;
  to->begin_html(to->context, (const char *)name, (const char **)attributes);
}

static void end_html(void *data, const xmlChar *name) {
  markup_receiver *to = &((markup_reader *)data)->receiver;
  to->end_html(to->context, (const char *)name);
}

static void text(void *data, const xmlChar *bytes, int count) {
  markup_receiver *to = &((markup_reader *)data)->receiver;
  if (count > 0) to->text(to->context, (const char *)bytes, (size_t)count);
}

static void entity(void *data, const xmlChar *name) {
  markup_receiver *to = &((markup_reader *)data)->receiver;
  to->entity(to->context, (const char *)name);
}

static xmlEntityPtr get_entity(void *data, const xmlChar *name) {
  entity(data, name);
  return NULL;
}

static void declare_entity(
    void *data, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id, xmlChar *content) {
  (void)type, (void)public_id, (void)system_id, (void)content;
  entity(data, name);
}

static markup_reader *make(markup_receiver receiver) {
  if (markup_open()) return NULL;
  markup_reader *reader = calloc(1, sizeof *reader);
  if (reader) reader->receiver = receiver;
  return reader;
}

static markup_reader *made(markup_reader *reader) {
  if (reader->parser) return reader;
  free(reader);
  return NULL;
}

markup_reader *markup_create_xml(markup_receiver receiver) {
  markup_reader *reader = make(receiver);
  if (!reader) return NULL;
  // No handler loads anything, and none builds a tree.
  xmlSAXHandler handler = {0};
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = begin;
  handler.endElementNs = end;
  handler.characters = text;
  handler.cdataBlock = text;
  handler.ignorableWhitespace = text;
  handler.getEntity = get_entity;
  handler.getParameterEntity = get_entity;
  handler.reference = entity;
  handler.entityDecl = declare_entity;
  reader->parser = xml.create_xml(&handler, reader, NULL, 0, NULL);
  // Without NOENT an ampersand in an attribute arrives as "&#38;". No other entity comes so far: all end the reading.
  if (reader->parser)
    xml.use_xml_options(
        reader->parser, XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  return made(reader);
}

markup_reader *markup_create_html(markup_receiver receiver, const char *encoding) {
  markup_reader *reader = make(receiver);
  if (!reader) return NULL;
  htmlSAXHandler handler = {0};
  handler.startElement = begin_html;
  handler.endElement = end_html;
  handler.characters = text;
  handler.cdataBlock = text;
  handler.ignorableWhitespace = text;
  reader->is_html = 1;
  xmlCharEncoding code = encoding ? xml.encoding(encoding) : XML_CHAR_ENCODING_NONE;
  if (code == XML_CHAR_ENCODING_ERROR) code = XML_CHAR_ENCODING_NONE;
  reader->parser = xml.create_html(&handler, reader, NULL, 0, NULL, code);
  if (reader->parser)
    xml.use_html_options(
        reader->parser, HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING);
  return made(reader);
}

markup_problem markup_push(markup_reader *reader, const uint8_t *bytes, size_t count, int is_last) {
  markup_problem found = {0, 0, 0, {0}};
  const char *start = (const char *)bytes;
  int code = 0;
  while (!reader->is_stopped && code == 0 && count > 0) {
    int piece = count > 1 << 20 ? 1 << 20 : (int)count;
    if (!reader->has_begun) {
      // At the end of the declaration the encoding changes to the one it names, which fails if much follows it.
      const char *end = memchr(start, '>', (size_t)piece);
      reader->has_begun = end != NULL;
      if (end) piece = (int)(end - start) + 1;
    }
    code = reader->is_html ? xml.parse_html(reader->parser, start, piece, 0)
                           : xml.parse_xml(reader->parser, start, piece, 0);
    // HTML is read whatever is wrong with it.
    if (reader->is_html) code = 0;
    start += piece;
    count -= (size_t)piece;
  }
  if (is_last && !reader->is_stopped && code == 0)
    code = reader->is_html ? xml.parse_html(reader->parser, NULL, 0, 1) : xml.parse_xml(reader->parser, NULL, 0, 1);
  if (reader->is_stopped || reader->is_html || code == 0) return found;
  xmlErrorPtr error = xml.last_error(reader->parser);
  found.code = code;
  found.line = error ? error->line : markup_line(reader);
  found.column = error ? error->int2 : 0;
  snprintf(found.message, sizeof found.message, "%s", error && error->message ? error->message : "not well-formed");
  found.message[strcspn(found.message, "\r\n")] = 0;
  return found;
}

void markup_stop(markup_reader *reader) {
  if (reader->is_stopped) return;
  reader->is_stopped = 1;
  xml.stop(reader->parser);
}

int markup_line(const markup_reader *reader) {
  return reader->parser->input ? reader->parser->input->line : 0;
}

int markup_column(const markup_reader *reader) {
  return reader->parser->input ? reader->parser->input->col : 0;
}

void markup_free(markup_reader *reader) {
  if (reader->is_html) xml.free_html(reader->parser);
  else xml.free_xml(reader->parser);
  free(reader);
}
