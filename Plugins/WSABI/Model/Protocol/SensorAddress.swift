/// The base address of a service, in the one spelling by which links are shared.
///
/// `localhost:8000/Service/` becomes `http://localhost:8000/Service`: a missing scheme is http, scheme and host are in
/// lower case, the usual port and slashes at the end go. Names and passwords in it, fragments, queries and other schemes
/// are refused.
struct SensorAddress: Sendable, Hashable {
  /// The address without a slash at its end.
  let text: String
  /// The host without brackets, in lower case.
  let host: String
  let port: Int
  let isSecure: Bool

  /// The address of something below the service, its path already safe for an address.
  func appending(_ path: String) -> String { "\(text)/\(path)" }
}
