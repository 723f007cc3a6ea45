/// A picture of a live preview.
struct PreviewFrame: Sendable, Hashable {
  /// Its number in the stream, from 1; those that were dropped are counted.
  var number: Int
  /// The bytes of the picture, as received.
  var bytes: [UInt8]
  /// The type that the service claims, in lower case and without parameters; empty if it claims none.
  var claimedType: String
}
