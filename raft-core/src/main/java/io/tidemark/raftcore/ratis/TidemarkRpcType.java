package io.tidemark.raftcore.ratis;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;

/**
 * Ratis's gRPC transport with our appender hook. Ratis makes it from its class name, so it is
 * public and has a public constructor.
 */
public final class TidemarkRpcType implements RpcType {
  /** Called by Ratis. */
  public TidemarkRpcType() {}

  @Override
  public String name() {
    return TidemarkRpcType.class.getName();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    return new TidemarkRpcFactory(parameters);
  }
}
