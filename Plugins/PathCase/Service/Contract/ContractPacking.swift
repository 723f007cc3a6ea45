internal import PluginCompression

/// Opens documents that were packed by gzip, told by their content.
enum ContractPacking {
  /// How large a document may be, in bytes.
  static let limitInBytes = 50 << 20
  /// How many times larger than its packed form a document may be; those of the contract pack to a tenth or twentieth.
  static let ratio = 200
  /// Up to this size the ratio is not looked at.
  static let unlimitedInBytes = 1 << 20

  /// The bytes of a document, and a warning if more followed than belongs to it.
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
        // Between members the stream can end well: then what follows is something else.
        hasTail = true
      }
      try stream.finish()
    } catch CompressionError.tooLarge(let limit) {
      throw .tooLarge(document: name, limitInBytes: limit)
    } catch {
      throw .packing(document: name, reason: "\(error)")
    }
    let warning = RecordIssue(
      code: .trailingBytes, message: "'\(name)' has bytes behind the end of its packing, which were passed over")
    return (content, hasTail ? warning : nil)
  }
}
