/// An element of a document that is open.
struct WireFrame {
  var local: String
  /// True if the name belongs to the protocol; other elements are skipped.
  var isKnown: Bool
  /// The type given by `xsi:type`, or implied by the enclosing type.
  var type: WireType?
  var isNil: Bool
  var text: [UInt8] = []
  var children: [WireNode] = []
}
