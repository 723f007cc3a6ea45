internal import CMarkup

/// A parser that passes the elements and texts of an HTML page to a builder.
enum HTMLEvents {
  static func read(_ page: ArraySlice<UInt8>, encoding: String?, _ builder: PageBuilder) throws(XMLError) {
    // The byte order mark of UTF-8 is not part of the text.
    let html = page.starts(with: [0xEF, 0xBB, 0xBF]) ? page.dropFirst(3) : page
    if let problem = markup_open() { throw .libraryMissing(reason: String(cString: problem)) }
    let parser: OpaquePointer? =
      if let encoding { encoding.withCString { markup_create_html(receiver(builder), $0) } } else {
        markup_create_html(receiver(builder), nil)
      }
    guard let parser else { throw .outOfMemory }
    // Inside an element of our own, nothing ends the page early: libxml2 drops what follows `</html>`, or a first end
    // tag without a start tag.
    if isASCIIBased(encoding) { _ = markup_push(parser, Array("<html>".utf8), 6, 0) }
    html.withUnsafeBufferPointer { bytes in _ = markup_push(parser, bytes.baseAddress, bytes.count, 1) }
    markup_free(parser)
    builder.finish()
  }

  /// Returns true if an ASCII tag can precede the page.
  private static func isASCIIBased(_ encoding: String?) -> Bool {
    let name = (encoding ?? "").lowercased()
    return !["utf-16", "utf-32", "ucs", "utf16", "utf32"].contains { name.hasPrefix($0) }
  }

  private static func receiver(_ builder: PageBuilder) -> markup_receiver {
    var receiver = markup_receiver()
    receiver.context = Unmanaged.passUnretained(builder).toOpaque()
    receiver.begin_html = { context, name, attributes in
      guard let context, let name else { return }
      var pairs: [String: String] = [:]
      var rest = attributes
      while let pair = rest, let key = pair[0] {
        pairs[String(cString: key).lowercased()] = pair[1].map { String(cString: $0) } ?? ""
        rest = pair + 2
      }
      Unmanaged<PageBuilder>.fromOpaque(context).takeUnretainedValue().begin(String(cString: name), pairs)
    }
    receiver.end_html = { context, name in
      guard let context, let name else { return }
      Unmanaged<PageBuilder>.fromOpaque(context).takeUnretainedValue().end(String(cString: name))
    }
    receiver.text = { context, bytes, count in
      guard let context, let bytes else { return }
      let text = UnsafeRawBufferPointer(start: bytes, count: count)
      Unmanaged<PageBuilder>.fromOpaque(context).takeUnretainedValue().text(text)
    }
    return receiver
  }
}
