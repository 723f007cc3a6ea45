import Glibc

/// The reader of Python's standard library.
public enum PythonJSON {
  /// Returns the plain forms of documents as Python reads them; nil if there is no python3.
  public static func read(_ documents: [[UInt8]]) -> [String]? {
    var name = Array("/tmp/json-documents-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { return nil }
    defer { unlink(name) }
    var bytes: [UInt8] = []
    for document in documents {
      withUnsafeBytes(of: UInt32(document.count).littleEndian) { bytes.append(contentsOf: $0) }
      bytes += document
    }
    let written = write(file, bytes, bytes.count)
    close(file)
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard written == bytes.count, let pipe = popen("python3 -c '\(script)' \(path)", "r") else { return nil }
    var output: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&room, 1, room.count, pipe), count > 0 { output += room.prefix(count) }
    guard pclose(pipe) == 0 else { return nil }
    return output.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  // No quotes of the shell in it. Halves of surrogate pairs become U+FFFD; keys may repeat.
  private static let script = """
    import json, re, sys
    class Number(str): pass
    def refuse(text): raise ValueError(text)
    def pairs(items): return ("object", items)
    def text(value): return chr(34) + re.sub("[\\ud800-\\udfff]", "\\ufffd", value).encode().hex() + chr(34)
    def form(value):
        if isinstance(value, Number): return "#" + value
        if isinstance(value, str): return text(value)
        if isinstance(value, tuple): return "{" + ",".join(text(k) + ":" + form(v) for k, v in value[1]) + "}"
        if isinstance(value, list): return "[" + ",".join(map(form, value)) + "]"
        return {None: "n", True: "t", False: "f"}[value]
    data = open(sys.argv[1], "rb").read()
    at = 0
    while at < len(data):
        count = int.from_bytes(data[at:at + 4], "little")
        document = data[at + 4:at + 4 + count]
        at += 4 + count
        try:
            value = json.loads(document.decode("utf-8-sig"), parse_float=Number, parse_int=Number,
                               parse_constant=refuse, object_pairs_hook=pairs)
            print(form(value))
        except ValueError:
            print("E")
    """
}
