/// The XML namespaces of the protocol's documents; a service uses one of them.
///
/// A client accepts all of them and writes the one that the service uses: NIST's Java service answers a configuration
/// in another one with `success` and applies nothing of it.
enum ProtocolNamespace: String, CaseIterable, Sendable {
  /// Services before NIST SP 500-288 (December 2011).
  case preRelease = "urn:oid:2.16.840.1.101.3.9.3.0"
  /// NIST SP 500-288, version 1 (2011) and the drafts of version 2.
  case nist = "urn:oid:2.16.840.1.101.3.9.3.1"
  /// OASIS Biometrics TC, drafts of 2013 and 2014.
  case biometrics = "http://docs.oasis-open.org/biometrics/ns/ws-bd-1.0"
  /// OASIS BIOSERV TC, committee specification of July 2017: the one in force.
  case bioserv = "http://docs.oasis-open.org/bioserv/ns/wsbd-1.0"

  /// The namespace of the types of XML Schema, `xs:int` and the like.
  static let schema = "http://www.w3.org/2001/XMLSchema"
  /// The namespace of `xsi:type` and `xsi:nil`.
  static let instance = "http://www.w3.org/2001/XMLSchema-instance"
}
