internal import PluginCompression

/// Uncompresses gzip documents, detected by their content.
enum ContractPacking {
  /// The maximum size of a document in bytes.
  static let limitInBytes = 50 << 20
  /// The maximum ratio of uncompressed to compressed size; documents of the contract compress to a tenth or a
  /// twentieth.
  static let ratio = 200
  /// The size up to which the ratio is not checked.
  static let unlimitedInBytes = 1 << 20

  /// Returns the bytes of a document, and a warning if data follow its end.
  static func unpacked(_ bytes: [UInt8], name: String) throws(ContractError) -> ([UInt8], RecordIssue?) {
    guard Gzip.isGzip(bytes) else {
      if bytes.count > limitInBytes { throw .tooLarge(document: name, limitInBytes: limitInBytes) }
      return (bytes, nil)
    }
    let limit = min(
      limitInBytes, max(unlimitedInBytes, bytes.count.multipliedReportingOverflow(by: ratio).partialValue))
    var content: [UInt8] = []
    var hasTail = false
    do {
      let stream = try GzipStream(limit: limit)
      do {
        try bytes.withUnsafeBytes { try stream.push($0) { content.append(contentsOf: $0) } }
      } catch CompressionError.damaged where (try? stream.finish()) != nil {
        // The stream may end regularly between members: the data that follow are something else.
        hasTail = true
      }
      try stream.finish()
    } catch CompressionError.tooLarge(let limit) {
      throw .tooLarge(document: name, limitInBytes: limit)
    } catch {
      throw .packing(document: name, reason: "\(error)")
    }
    let warning = RecordIssue(
      code: .trailingBytes, message: "'\(name)' has bytes after the end of its compressed data, which were ignored")
    return (content, hasTail ? warning : nil)
  }
}
