import PluginAPI

/// Errors of images that cannot be shown; addresses in them never contain a token.
enum ImageFetchError: Error, Equatable, ReportableError {
  /// The address is not a web address, such as `ftp:`.
  case badAddress(String)
  /// The server has no image at this address.
  case status(Int, address: String)
  /// A page was received instead, with its text if it is one of a data store.
  case page(address: String, reason: String = "")
  /// The content is not a known image format.
  case noImage(address: String)
  /// The image is larger than allowed.
  case tooLarge(address: String, limitInBytes: Int)
  /// The image could not be fetched.
  case failed(address: String, reason: String)
  /// The program was started without network.
  case offline(address: String)

  /// The reason in a few words, shown in place of the image.
  var reason: String {
    switch self {
    case .badAddress: "its address is not one of http or https"
    case .status(let status, _): "the server answered with status \(status)"
    case .page(_, let reason): reason.isEmpty ? "a page came instead of an image" : "the data store says: \(reason)"
    case .noImage: "what came is no image that is known"
    case .tooLarge(_, let limit): "it is larger than \(limit >> 20) MiB"
    case .failed(_, let reason): reason
    case .offline: "the network is switched off"
    }
  }

  private var address: String {
    switch self {
    case .badAddress(let address), .status(_, let address), .page(let address, _), .noImage(let address),
      .tooLarge(let address, _), .failed(let address, _), .offline(let address):
      address
    }
  }

  var report: ErrorReport {
    let isOffline = if case .offline = self { true } else { false }
    return ErrorReport(
      code: isOffline ? "openbis.image-offline" : "openbis.image-missing", kind: .network,
      "the image '\(address)' cannot be shown: \(reason)",
      advice: isOffline ? "leave out --offline" : "ask who runs the server if it should be there",
      details: ["address": .text(address)]
    ).harmless
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("openbis.image-missing", "an image could not be fetched, or is no image"),
    .init("openbis.image-offline", "an image is needed from the network, which is switched off"),
  ]
}
