#include <arpa/nameser.h>
#include <netinet/in.h>
#include <pthread.h>
#include <resolv.h>
#include <string.h>

#include "discovery.h"
#include "opening.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static opened_library library;
static int (*parse_message)(const unsigned char *, int, ns_msg *);
static int (*parse_record)(ns_msg *, ns_sect, int, ns_rr *);

// All other parts of the resolver have been in libc itself since glibc 2.34.
static void open_library(void) {
  if (!opened_library_open(&library, "libresolv.so.2")) return;
  parse_message = opened_library_find(&library, "ns_initparse");
  parse_record = opened_library_find(&library, "ns_parserr");
}

const char *discovery_begin(void) {
  pthread_once(&once, open_library);
  return library.problem[0] ? library.problem : NULL;
}

/// Returns 1 if bytes are a complete name without pointers, as the resolver does not check the end of such names.
static int is_name(const uint8_t *name, size_t count) {
  size_t place = 0;
  while (place < count && name[place] != 0) {
    if (name[place] > NS_MAXLABEL) return 0;
    place += 1 + name[place];
  }
  return place + 1 == count && count <= DISCOVERY_NAME;
}

long discovery_write_question(
  uint8_t *message, size_t room, const uint8_t *name, size_t name_count, int type, uint16_t *number) {
  char text[NS_MAXDNAME];
  if (!is_name(name, name_count) || ns_name_ntop(name, text, sizeof text) < 0) return -1;
  int count = res_mkquery(ns_o_query, text, ns_c_in, type, NULL, 0, NULL, message, (int)room);
  if (count < NS_HFIXEDSZ) return -1;
  HEADER head;
  memcpy(&head, message, sizeof head);
  // Multicast DNS has no recursion; RFC 6762, section 18.6.
  head.rd = 0;
  memcpy(message, &head, sizeof head);
  *number = ntohs(head.id);
  return count;
}

/// Expands a name that fills the last bytes of a record; loops and names that are too long fail.
static int unpack(const ns_msg *message, const ns_rr *read, int start, uint8_t *name, size_t *count) {
  const uint8_t *place = ns_rr_rdata(*read) + start;
  int room = ns_rr_rdlen(*read) - start;
  if (room < 1) return 0;
  if (ns_name_unpack(ns_msg_base(*message), ns_msg_end(*message), place, name, DISCOVERY_NAME) != room) return 0;
  size_t end = 0;
  while (name[end] != 0) end += 1 + name[end];
  *count = end + 1;
  return 1;
}

/// Encodes a name that the resolver gave as text.
static int pack(const char *text, uint8_t *name, size_t *count) {
  uint8_t whole[NS_MAXCDNAME];
  if (ns_name_pton(text, whole, sizeof whole) < 0) return 0;
  size_t end = 0;
  while (whole[end] != 0) end += 1 + whole[end];
  if (end + 1 > DISCOVERY_NAME) return 0;
  memcpy(name, whole, end + 1);
  *count = end + 1;
  return 1;
}

static int take_target(const ns_msg *message, const ns_rr *read, discovery_record *record) {
  switch (ns_rr_type(*read)) {
  case ns_t_ptr: return unpack(message, read, 0, record->target, &record->target_count);
  case ns_t_srv:
    // Priority and weight, then the port.
    if (!unpack(message, read, 6, record->target, &record->target_count)) return 0;
    memcpy(&record->port, ns_rr_rdata(*read) + 4, sizeof record->port);
    record->port = ntohs(record->port);
    return 1;
  default: return 1;
  }
}

static int take_section(
  ns_msg *message, ns_sect section, int limit, void (*take)(void *, const discovery_record *), void *context) {
  int count = ns_msg_count(*message, section);
  for (int place = 0; place < count; place += 1) {
    if (place >= limit) return -place - 1;
    ns_rr read;
    discovery_record record = {0};
    if (parse_record(message, section, place, &read) < 0) return -place - 1;
    // The highest bit of a class marks older records as stale; RFC 6762, section 10.2.
    if ((ns_rr_class(read) & 0x7FFF) != ns_c_in) continue;
    if (!pack(ns_rr_name(read), record.name, &record.name_count) || !take_target(message, &read, &record)) continue;
    record.type = ns_rr_type(read);
    record.seconds = ns_rr_ttl(read);
    record.data = ns_rr_rdata(read);
    record.data_count = ns_rr_rdlen(read);
    take(context, &record);
  }
  return count;
}

static void read_question(ns_msg *message, discovery_head *head) {
  ns_rr read;
  if (head->questions == 0 || parse_record(message, ns_s_qd, 0, &read) < 0) return;
  if (pack(ns_rr_name(read), head->name, &head->name_count)) head->type = ns_rr_type(read);
}

int discovery_read(
  const uint8_t *message, size_t count, int limit, discovery_head *head,
  void (*take)(void *context, const discovery_record *record), void *context) {
  ns_msg read;
  if (count > DISCOVERY_MESSAGE || parse_message(message, (int)count, &read) < 0) return -1;
  memset(head, 0, sizeof *head);
  head->number = ns_msg_id(read);
  HEADER flags;
  memcpy(&flags, message, sizeof flags);
  head->is_answer = flags.qr;
  head->operation = flags.opcode;
  head->outcome = flags.rcode;
  head->is_cut = flags.tc;
  head->questions = ns_msg_count(read, ns_s_qd);
  read_question(&read, head);
  int taken = 0;
  const ns_sect sections[] = {ns_s_an, ns_s_ns, ns_s_ar};
  for (int place = 0; place < 3; place += 1) {
    int part = take_section(&read, sections[place], limit - taken, take, context);
    if (part < 0) return taken - part - 1;
    taken += part;
  }
  return taken;
}
