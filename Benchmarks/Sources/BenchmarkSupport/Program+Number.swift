@preconcurrency import Glibc

extension Program {
  /// Runs a program and returns the first number it prints; nil if it fails or prints none.
  public static func number(_ arguments: [String]) -> Double? {
    let quoted = arguments.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
    guard let pipe = popen(quoted.joined(separator: " "), "r") else { return nil }
    var bytes = [CChar](repeating: 0, count: 256)
    let hasLine = fgets(&bytes, 256, pipe) != nil
    guard pclose(pipe) == 0, hasLine else { return nil }
    return Double(String(decoding: bytes.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}
