public import HybridCore

/// The SHA-256 of a certificate's public key (its SubjectPublicKeyInfo), as in `sha256//BASE64`.
///
///     openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der \
///       | openssl dgst -sha256 -binary | base64
public struct PublicKeyPin: Sendable, Hashable, CustomStringConvertible {
  /// `sha256//` and the 44 characters of the digest.
  public let description: String

  /// - Parameter text: with `sha256//` before the digest.
  /// - Throws: `invalidConfiguration` for anything but 32 bytes in padded base64.
  public init(_ text: String) throws(HybridError) {
    let prefix = "sha256//"
    guard text.hasPrefix(prefix), Self.isDigest(Array(text.utf8.dropFirst(prefix.utf8.count)))
    else {
      throw HybridError(
        .invalidConfiguration, "a pinned public key is not sha256// and 44 characters of base64",
        nextStep: "Give the SHA-256 of the key's SubjectPublicKeyInfo in base64", side: .remote)
    }
    description = text
  }

  private static func isDigest(_ text: [UInt8]) -> Bool {
    text.count == 44 && text[43] == UInt8(ascii: "=")
      && text.dropLast().allSatisfy { byte in
        (65...90).contains(byte) || (97...122).contains(byte) || (48...57).contains(byte)
          || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
      }
      // The last character carries four bits of the 256, and two zeros.
      && "AEIMQUYcgkosw048".utf8.contains(text[42])
  }
}
