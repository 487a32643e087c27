package io.tidemark.server.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.impl.BaseJWSProvider;
import com.nimbusds.jose.util.Base64URL;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Set;

/** EdDSA with the JDK's own implementation; the library would want another one for it. */
final class EdDsa {
  private static final String NAME = "EdDSA";

  private EdDsa() {}

  static final class Signer extends BaseJWSProvider implements JWSSigner {
    private final PrivateKey key;

    Signer(PrivateKey key) {
      super(Set.of(JWSAlgorithm.EdDSA));
      this.key = key;
    }

    @Override
    public Base64URL sign(JWSHeader header, byte[] input) throws JOSEException {
      try {
        Signature signature = Signature.getInstance(NAME);
        signature.initSign(key);
        signature.update(input);
        return Base64URL.encode(signature.sign());
      } catch (GeneralSecurityException e) {
        throw new JOSEException(e.getMessage(), e);
      }
    }
  }

  static final class Verifier extends BaseJWSProvider implements JWSVerifier {
    private final PublicKey key;

    Verifier(PublicKey key) {
      super(Set.of(JWSAlgorithm.EdDSA));
      this.key = key;
    }

    @Override
    public boolean verify(JWSHeader header, byte[] input, Base64URL signed) throws JOSEException {
      try {
        Signature signature = Signature.getInstance(NAME);
        signature.initVerify(key);
        signature.update(input);
        return signature.verify(signed.decode());
      } catch (GeneralSecurityException e) {
        return false;
      }
    }
  }
}
